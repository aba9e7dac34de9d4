// The options about cookies; `get`, `add` and `info` share them.

internal import ArgumentParser

struct CookieArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("b"), .long],
    help: ArgumentHelp(
      "Send these cookies, or those in a file.",
      discussion: """
        May be repeated. With a = in it, it is cookies for the URL's own server; else a file in Netscape's format, \
        whose cookies go where they belong.
        """,
      valueName: "name=value; …|file"))
  var cookie: [String] = []

  @Option(
    name: [.customShort("c"), .long],
    help: ArgumentHelp(
      "Write cookies into this file at the end, in Netscape's format.",
      discussion: "Those of -b files and those that came; what the file had stays. Only you can read it.",
      valueName: "file"), completion: .file())
  var cookieJar: String?

  @Flag(help: "Leave dray's own jar alone: none of its cookies is sent, and none is added to it.")
  var noCookies = false

  @Option(
    help: ArgumentHelp(
      "Take the cookies for the URL's site from a browser: firefox, or firefox:PROFILE.",
      valueName: "browser[:profile]"))
  var cookiesFromBrowser: String?
}
