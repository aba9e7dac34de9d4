// The options for requests, which `get`, `add` and `info` share.

internal import ArgumentParser

struct RequestArguments: ParsableArguments, Sendable {
  @Option(setting: "header") var header: [String] = []
  @Option(setting: "user") var user: String?
  @Option(setting: "user-agent") var userAgent: String?
  @Option(setting: "referer") var referer: String?
  @Option(setting: "proxy") var proxy: String?
  @Option(setting: "cacert") var cacert: String?
  @Flag(setting: "insecure") var insecure = false

  @Flag(help: "Read user names and passwords from ~/.netrc.")
  var netrc = false

  @Option(setting: "netrc-file") var netrcFile: String?
  @Flag(setting: "ipv4") var ipv4 = false
  @Flag(setting: "ipv6") var ipv6 = false
  @Option(setting: "resolve") var resolve: [String] = []
  @Option(setting: "interface") var interface: String?
  @Flag(setting: "own-service") var ownService = false
  @Flag(setting: "http1.1") var http11 = false
  @Flag(setting: "http2") var http2 = false
  @Flag(setting: "http3") var http3 = false
  @Option(setting: "connect-timeout") var connectTimeout: String?
  @Option(setting: "stall-timeout") var stallTimeout: String?
  @Option(setting: "max-redirs") var maxRedirs: String?
  @Option(setting: "proto") var proto: String?
  @Option(setting: "pace") var pace: String?
  @Option(setting: "jitter") var jitter: String?
  @Flag(setting: "no-cache") var noCache = false

  @OptionGroup var schemes: SchemeArguments

  @OptionGroup(title: "Authentication options") var authentication: AuthenticationArguments
  @OptionGroup(title: "Cookie options") var cookies: CookieArguments
}
