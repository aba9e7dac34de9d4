// The options that say how a server is asked; `get`, `add` and `info` share them.

internal import ArgumentParser

struct RequestArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("H"), .long],
    help: ArgumentHelp(
      "Send this header field.",
      discussion: """
        May be repeated. `Name:` takes away a field that dray would send, `Name;` sends one without a value; @FILE \
        reads lines from a file.
        """,
      valueName: "name: value"))
  var header: [String] = []

  @Option(
    name: [.customShort("u"), .long],
    help: ArgumentHelp(
      "User name and password for the URL's server.",
      discussion: "With the name alone, the password is taken from DRAY_PASSWORD or asked for.",
      valueName: "user[:password]"))
  var user: String?

  @Option(name: [.customShort("A"), .long], help: ArgumentHelp("Send this User-Agent.", valueName: "name"))
  var userAgent: String?

  @Option(name: [.customShort("e"), .long], help: ArgumentHelp("Send this Referer.", valueName: "url"))
  var referer: String?

  @Option(
    help: ArgumentHelp(
      "Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.",
      discussion: "An empty text is none, whatever the environment says.", valueName: "url"))
  var proxy: String?

  @Option(
    help: ArgumentHelp("Trust the certificates in this file instead of the system's.", valueName: "file"),
    completion: .file())
  var cacert: String?

  @Flag(name: [.customShort("k"), .long], help: "Do not check certificates. Anybody could be the server.")
  var insecure = false

  @Flag(help: "Take user names and passwords from ~/.netrc.")
  var netrc = false

  @Option(
    help: ArgumentHelp("Take user names and passwords from this file.", valueName: "file"),
    completion: .file())
  var netrcFile: String?

  @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Use IPv4 only.")
  var ipv4 = false

  @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Use IPv6 only.")
  var ipv6 = false

  @Option(
    help: ArgumentHelp("Give up connecting after this time (30 s unless told).", valueName: "time"))
  var connectTimeout: String?

  @Option(
    help: ArgumentHelp(
      "Give up when less than 1 KiB/s comes for this time (30 s unless told).", valueName: "time"))
  var stallTimeout: String?

  @Flag(help: "Have caches on the way ask the server.")
  var noCache = false

  @OptionGroup var schemes: SchemeArguments

  @OptionGroup(title: "Authentication options") var authentication: AuthenticationArguments
  @OptionGroup(title: "Cookie options") var cookies: CookieArguments
}
