// The options for cookies, which `get`, `add` and `info` share.

internal import ArgumentParser

struct CookieArguments: ParsableArguments, Sendable {
  @Option(setting: "cookie") var cookie: [String] = []
  @Option(setting: "cookie-jar") var cookieJar: String?
  @Flag(setting: "no-cookies") var noCookies = false

  @Option(
    help: ArgumentHelp(
      "Use a browser's cookies for the URL's site: firefox, or firefox:PROFILE.",
      valueName: "browser[:profile]"))
  var cookiesFromBrowser: String?
}
