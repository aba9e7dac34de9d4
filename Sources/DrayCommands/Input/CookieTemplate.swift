// Turns the options for cookies into values: it checks them, and reads the cookies of a browser once for all URLs.

internal import DrayKit
internal import Posix

struct CookieTemplate: Sendable {
  /// The cookies that are sent only to the URL's own server.
  let cookie: String?
  private let options: CookieOptions
  private let browser: [Cookie]
  /// The cookies from a pipe or from standard input, which can be read only once. Like the cookies of a file, they are
  /// used for all URLs.
  private let piped: [String]

  /// Checks the options.
  /// - Throws: Kind `usage` with the name of the option; kind `file` if the cookies of a browser cannot be read.
  init(_ arguments: CookieArguments, _ surroundings: Surroundings) throws(Failure) {
    var options = CookieOptions()
    var pairs: [String] = []
    var files: [String] = []
    var piped: [String] = []
    for text in arguments.cookie {
      if text.contains("=") {
        pairs.append(try SecretReader(surroundings).checked(text, "--cookie"))
      } else if text == "-" || surroundings.isPipe(text) {
        piped += CookieList(text: try surroundings.textContents(text, "--cookie")).cookies.map(\.line)
      } else {
        files.append(try surroundings.checkText(text, "--cookie"))
      }
    }
    self.piped = piped
    cookie = pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    if !files.isEmpty { options.files = files }
    if let path = arguments.cookieJar { options.jar = try CookieTemplate.jar(path, surroundings) }
    if arguments.noCookies { options.ignoresOwnJar = true }
    self.options = options
    browser =
      try arguments.cookiesFromBrowser.map { (text) throws(Failure) in
        try BrowserCookies.read(text, environment: surroundings.environment)
      } ?? []
  }

  /// Whether the requests for all URLs have the same cookies.
  var isUniform: Bool { browser.isEmpty }

  /// Returns the cookie options for a request; `nil` if it has none. Of a browser's cookies, only those for the URL's
  /// site are included, because all others are private.
  func options(for url: RequestURL) -> CookieOptions? {
    var own = options
    let taken = browser.filter { $0.isOfSite(of: url.host) }.map(\.line) + piped
    if !taken.isEmpty { own.taken = taken }
    return own == CookieOptions() ? nil : own
  }

  private static func jar(_ path: String, _ surroundings: Surroundings) throws(Failure) -> String {
    guard !path.isEmpty, path != "-" else { throw OptionValue.bad("--cookie-jar", "name a file") }
    let absolute = surroundings.absolute(path)
    switch surroundings.kind(absolute) {
    case .file, .missing: break
    default: throw OptionValue.bad("--cookie-jar", "\(OptionValue.quote(path)) is not a writable file")
    }
    guard surroundings.kind(PathText.directory(of: absolute)) == .directory else {
      throw OptionValue.bad("--cookie-jar", "the directory of \(OptionValue.quote(path)) does not exist")
    }
    return absolute
  }
}
