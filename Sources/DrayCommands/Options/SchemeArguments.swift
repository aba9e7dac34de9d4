// The options for schemes other than http and https; `get`, `add` and `info` share them.

internal import ArgumentParser

struct SchemeArguments: ParsableArguments, Sendable {
  @Flag(help: "Use TLS for ftp URLs if the server supports it.")
  var ssl = false

  @Flag(help: "Require TLS for ftp URLs.")
  var sslReqd = false

  @Option(
    help: ArgumentHelp(
      "For sftp, accept this host key, regardless of known_hosts.",
      discussion: "Its SHA-256 in base64, as `ssh-keygen -l` prints it.", valueName: "fingerprint"))
  var hostpubsha256: String?

  @Option(
    help: ArgumentHelp("Use this server for s3 URLs instead of Amazon's.", valueName: "url"))
  var endpointUrl: String?

  @Option(
    help: ArgumentHelp(
      "Use the keys and the region of this profile of the AWS files for s3 URLs.",
      discussion: "They are looked up at each attempt.", valueName: "name"))
  var awsProfile: String?

  @Option(help: ArgumentHelp("The region of the bucket of s3 URLs.", valueName: "name"))
  var awsRegion: String?

  @Flag(help: "Do not sign requests for s3 URLs (public objects).")
  var noSignRequest = false
}
