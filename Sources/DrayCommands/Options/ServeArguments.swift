// The options of `dray serve`: its addresses, its access rules, and the limits for clients' jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer
internal import Logging

struct ServeArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Listen at this address; may be repeated (default: 127.0.0.1:6800 and serve.sock in the state directory).",
      discussion: """
        ADDRESS:PORT, [ADDRESS]:PORT, localhost:PORT, *:PORT for all addresses, or unix:PATH. All but the last need the \
        secret.
        """,
      valueName: "address"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "Read the secret that clients must know from this file, which only its owner may read.",
      discussion: """
        Otherwise it is in DRAY_SERVE_SECRET, in the credential dray-secret of systemd, or in serve.secret in the state \
        directory, which is made at the first start. Clients of aria2 give it as token:SECRET, others as Authorization: \
        Bearer SECRET, and the page asks for it.
        """,
      valueName: "file"), completion: .file())
  var secretFile: String?

  @Flag(
    help: ArgumentHelp(
      "Let every user and program of this machine control the service.",
      discussion: "Addresses that others can reach are refused then."))
  var noSecret = false

  @Option(
    help: ArgumentHelp(
      "Let files of clients go below this directory, or below s3://BUCKET/PREFIX/; may be repeated (default: --dir).",
      discussion: """
        Links below it are not followed. Objects are written with the keys of this user, which clients do not see.
        """, valueName: "directory"), completion: .directory)
  var root: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Put files here whose clients name no directory (default: the first --root, or ~/Downloads).",
      valueName: "directory"),
    completion: .directory)
  var dir: String?

  @Option(
    help: ArgumentHelp(
      "Let clients have something that is refused otherwise; may be repeated.",
      discussion: """
        keys: sftp, s3 and file URLs, and names, with the keys and tokens of this user; files: requests that read files; proxy: to choose one; \
        insecure: no certificate checks; hooks: commands.
        """,
      valueName: "what"))
  var allow: [String] = []

  @Flag(help: "Refuse servers in private networks, for jobs that clients add.")
  var denyPrivate = false

  @Option(
    help: ArgumentHelp("Let pages of this origin ask; may be repeated.", valueName: "origin"))
  var allowOrigin: [String] = []

  @Flag(
    help: ArgumentHelp(
      "Let pages that are opened from a file ask; they need the secret.",
      discussion: """
        Such as an AriaNg that was saved to disk. Browsers name no origin for them (Origin: null), nor for pages that \
        another site isolates, so this excludes --no-secret.
        """))
  var allowFilePages = false

  @Option(
    help: ArgumentHelp(
      "Answer to this name, beside localhost and addresses; may be repeated.", valueName: "name"))
  var hostName: [String] = []

  @Flag(help: "Believe a proxy on this machine for whom it asks (X-Forwarded-For).")
  var trustProxy = false

  @Option(
    help: ArgumentHelp(
      "Write the log to this file (default: standard error; serve.log with --detach).", valueName: "file"),
    completion: .file())
  var logFile: String?

  @Option(
    help: ArgumentHelp("Log error, warning, info or debug (default: info).", valueName: "level"),
    completion: .list(Logger.Level.offered.map(\.rawValue)))
  var logLevel = "info"
}
