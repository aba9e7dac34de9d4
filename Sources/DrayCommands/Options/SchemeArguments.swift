// The options for schemes other than http and https; `get`, `add` and `info` share them.

internal import ArgumentParser

struct SchemeArguments: ParsableArguments, Sendable {
  @Flag(help: "Use TLS with ftp URLs where the server can.")
  var ssl = false

  @Flag(help: "Use TLS with ftp URLs, or do not fetch them.")
  var sslReqd = false

  @Option(
    name: .customLong("hostpubsha256"),
    help: ArgumentHelp(
      "With sftp, take this host key, whatever known_hosts says.",
      discussion: "Its SHA-256 in base64, as `ssh-keygen -l` prints it.", valueName: "fingerprint"))
  var hostKey: String?

  @Option(
    help: ArgumentHelp("Ask this server for s3 URLs instead of Amazon's.", valueName: "url"))
  var endpointUrl: String?

  @Option(
    help: ArgumentHelp(
      "Take the keys and the region for s3 URLs from this profile of the AWS files.",
      discussion: "Looked up at each attempt.", valueName: "name"))
  var awsProfile: String?

  @Option(help: ArgumentHelp("The region of the bucket of s3 URLs.", valueName: "name"))
  var awsRegion: String?

  @Flag(help: "Ask for s3 URLs without signing, as everybody may.")
  var noSignRequest = false
}
