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
}
