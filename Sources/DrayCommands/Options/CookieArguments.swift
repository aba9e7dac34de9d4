// The options about cookies; `get`, `add` and `info` share them.

internal import ArgumentParser

struct CookieArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("b"), .long],
    help: ArgumentHelp(
      "Send these cookies, or those in a file.",
      discussion: """
        May be repeated. A value with = is sent to the URL's own server; any other is a file in Netscape's format, \
        whose cookies are sent to the hosts that they name.
        """,
      valueName: "name=value; …|file"))
  var cookie: [String] = []

  @Option(
    help: ArgumentHelp(
      "Write cookies into this file at the end, in Netscape's format.",
      discussion: "Those of -b files and those received; cookies already in the file are kept. Only you can read it.",
      valueName: "file"), completion: .file())
  var cookieJar: String?

  @Flag(help: "Do not use dray's own jar: none of its cookies is sent, and none is added to it.")
  var noCookies = false

  @Option(
    help: ArgumentHelp(
      "Use a browser's cookies for the URL's site: firefox, or firefox:PROFILE.",
      valueName: "browser[:profile]"))
  var cookiesFromBrowser: String?
}
