// The options that say how a server is asked; `get`, `add` and `info` share them.

internal import ArgumentParser

struct RequestArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("H"), .long],
    help: ArgumentHelp(
      "Send this header field.",
      discussion: """
        May be repeated. `Name:` removes a field that dray would send, `Name;` sends one without a value; @FILE \
        reads lines from a file.
        """,
      valueName: "name: value"))
  var header: [String] = []

  @Option(
    name: [.customShort("u"), .long],
    help: ArgumentHelp(
      "User name and password for the URL's server.",
      discussion: "Without a password, DRAY_PASSWORD is used, or dray asks for it.",
      valueName: "user[:password]"))
  var user: String?

  @Option(name: [.customShort("A"), .long], help: ArgumentHelp("Send this User-Agent.", valueName: "name"))
  var userAgent: String?

  @Option(name: [.customShort("e"), .long], help: ArgumentHelp("Send this Referer.", valueName: "url"))
  var referer: String?

  @Option(
    help: ArgumentHelp(
      "Use this proxy: http, https, socks4, socks4a, socks5 or socks5h.",
      discussion: "An empty value disables it, regardless of the environment.", valueName: "url"))
  var proxy: String?

  @Option(
    help: ArgumentHelp("Trust the certificates in this file instead of the system's.", valueName: "file"),
    completion: .file())
  var cacert: String?

  @Flag(name: [.customShort("k"), .long], help: "Do not check certificates. Anyone can impersonate the server.")
  var insecure = false

  @Flag(help: "Read user names and passwords from ~/.netrc.")
  var netrc = false

  @Option(
    help: ArgumentHelp("Read user names and passwords from this file.", valueName: "file"),
    completion: .file())
  var netrcFile: String?

  @Flag(name: [.customShort("4"), .customLong("ipv4")], help: "Use IPv4 only.")
  var ipv4 = false

  @Flag(name: [.customShort("6"), .customLong("ipv6")], help: "Use IPv6 only.")
  var ipv6 = false

  @Option(
    help: ArgumentHelp(
      "Connect to this address for a host and a port.", discussion: "May be repeated. `*` is any host or port.",
      valueName: "host:port:address"))
  var resolve: [String] = []

  @Option(help: ArgumentHelp("Send from this interface or address.", valueName: "interface"))
  var interface: String?

  @Flag(
    help: ArgumentHelp(
      "Allow requests to your own `dray serve`.", discussion: "Otherwise no URL, redirect or mirror may lead there."))
  var ownService = false

  @Flag(name: .customLong("http1.1"), help: "Use HTTP/1.1.")
  var http11 = false

  @Flag(name: .customLong("http2"), help: "Use HTTP/2 where a server offers it over TLS. This is the default.")
  var http2 = false

  @Flag(
    name: .customLong("http3"),
    help: ArgumentHelp(
      "Use HTTP/3, with HTTP/2 and HTTP/1.1 as alternatives.",
      discussion: """
        Without it, HTTP/3 is used for servers that have offered it (Alt-Svc). It needs a libcurl that has it: \
        `dray --version` shows that.
        """))
  var http3 = false

  @Option(
    help: ArgumentHelp("Give up connecting after this time (default: 30 s).", valueName: "time"))
  var connectTimeout: String?

  @Option(
    help: ArgumentHelp(
      "Give up if the rate is below 1 KiB/s for this time (default: 30 s).", valueName: "time"))
  var stallTimeout: String?

  @Flag(help: "Make caches revalidate with the server.")
  var noCache = false

  @OptionGroup var schemes: SchemeArguments

  @OptionGroup(title: "Authentication options") var authentication: AuthenticationArguments
  @OptionGroup(title: "Cookie options") var cookies: CookieArguments
}
