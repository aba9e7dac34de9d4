// `dray cookies`: shows and changes the cookie jar that all jobs share.

internal import ArgumentParser
internal import DrayKit
internal import TerminalUI
internal import Threads

struct Cookies: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cookies",
    abstract: "List, add and remove the cookies that dray keeps.",
    discussion: """
      dray keeps the persistent cookies that servers set in one jar for all jobs; --no-cookies ignores it. \
      Values are hidden by default: anyone who has them can impersonate you.

      EXAMPLES
        dray cookies list example.org
        dray cookies add --domain example.org session=@token.txt
        dray cookies remove example.org
      """,
    subcommands: [CookiesList.self, CookiesAdd.self, CookiesRemove.self], defaultSubcommand: CookiesList.self)
}

struct CookiesList: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the cookies of the jar.",
    discussion: "With a domain: those of the domain and of its subdomains.")

  @Argument(help: ArgumentHelp("Only cookies of this domain and its subdomains.", valueName: "domain"))
  var domain: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Show the values. They are secrets.")
  var reveal = false

  func execute() async throws -> ExitStatus {
    var cookies = try CookieJar(in: Store.user().home).read().cookies
    if let domain { cookies.removeAll { !$0.belongs(to: domain) } }
    cookies.sort { ($0.domain, $0.path, $0.name) < ($1.domain, $1.path, $1.name) }
    if json {
      CookieText.write(json: cookies, reveals: reveal, to: .standard)
    } else {
      CookieText.write(table: cookies, reveals: reveal, to: .standard)
    }
    return .success
  }
}

struct CookiesAdd: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a cookie to the jar.",
    discussion: """
      A cookie of the same name, domain and path is replaced. With --domain, subdomains get the cookie too; with \
      --host, only that host does.
      """)

  @Argument(
    help: ArgumentHelp(
      "The cookie; the value @FILE stands for the first line of the file, which is not visible in `ps`.",
      valueName: "name=value"))
  var cookie: String

  @Option(help: ArgumentHelp("Send it to this domain and its subdomains.", valueName: "domain"))
  var domain: String?

  @Option(help: ArgumentHelp("Send it to this host only.", valueName: "host"))
  var host: String?

  @Option(help: ArgumentHelp("Send it for this path and below (default: /).", valueName: "path"))
  var path = "/"

  @Flag(help: "Send it over https only.")
  var secure = false

  @Flag(help: "Mark it as hidden from scripts (HttpOnly).")
  var httpOnly = false

  @Option(
    help: ArgumentHelp(
      "When it expires: a time from now such as 30d, or an HTTP date (default: in a year).",
      valueName: "time"))
  var expires: String?

  func execute() async throws -> ExitStatus {
    let made = try make(Surroundings.real(), now: WallClock.now())
    let manager = try Store.open()
    try CookieJar(in: manager.home).change { $0.apply(CookieChanges(changed: [made])) }
    return .success
  }

  /// Returns the cookie that the arguments describe.
  /// - Throws: Kind `usage` if the arguments are invalid.
  func make(_ surroundings: Surroundings, now: Double) throws(Failure) -> Cookie {
    guard let equals = cookie.firstIndex(of: "=") else {
      throw OptionValue.bad("the cookie", "it has no value: write NAME=VALUE")
    }
    guard let place = domain ?? host, domain == nil || host == nil else {
      throw OptionValue.bad("--domain and --host", "give exactly one of them")
    }
    let site: RequestURL
    do throws(URLParseError) {
      site = try RequestURL.parse("https://\(place.drop { $0 == "." })/").url
    } catch {
      throw OptionValue.bad(domain == nil ? "--host" : "--domain", error.message)
    }
    let value = try SecretReader(surroundings).value(String(cookie[cookie.index(after: equals)...]), "the cookie")
    let made = Cookie(
      domain: site.host, includesSubdomains: domain != nil, path: path, isSecure: secure, isHTTPOnly: httpOnly,
      expires: try CookiesAdd.time(expires ?? "365d", now: now), name: String(cookie[..<equals]), value: value)
    guard made.isWellFormed, !made.isExpired(at: Int64(now)), site.path == "/", site.port == nil else {
      throw OptionValue.bad(
        "the cookie", "invalid name, domain, path or time: write NAME=VALUE without ;, and a path that begins with /")
    }
    guard !made.name.hasPrefix("__Host-") || (secure && path == "/" && domain == nil),
      !made.name.hasPrefix("__Secure-") || secure
    else {
      throw OptionValue.bad(
        "the cookie", "its prefix requires --secure, and __Host- also --host and the path / (RFC 6265bis §4.1.3)"
      )
    }
    return made
  }

  private static func time(_ text: String, now: Double) throws(Failure) -> Int64 {
    if let date = HTTPDate.parse(text) { return date }
    return Int64(now + (try OptionValue.seconds(text, "--expires", mayBeZero: false)))
  }
}

struct CookiesRemove: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove cookies from the jar.",
    discussion: "Those of a domain and its subdomains, those of one name, or all. Prints how many were removed.",
    aliases: ["rm"])

  @Argument(help: ArgumentHelp("Cookies of this domain and its subdomains.", valueName: "domain"))
  var domain: String?

  @Argument(help: ArgumentHelp("Only cookies of this name.", valueName: "name"))
  var name: String?

  @Flag(help: "All cookies.")
  var all = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    guard all == (domain == nil) else {
      throw OptionValue.bad("no cookie is selected", "name a domain or use --all, not both")
    }
    let home = try Store.user().home
    var count = 0
    // If there is no jar, its lock file is not created either.
    if try !CookieJar(in: home).read().cookies.isEmpty {
      try CookieJar(in: home).change { list in
        let gone = list.cookies.filter { cookie in
          domain.map(cookie.belongs(to:)) ?? true && name.map { $0 == cookie.name } ?? true
        }
        count = gone.count
        list.apply(CookieChanges(removed: Set(gone.map(\.key))))
      }
    }
    if count == 0, !all {
      throw OptionValue.bad(
        TextSafety.escaped(domain ?? ""), "it has no such cookie: `dray cookies list` shows all")
    }
    if !quiet { Messages.print("\(count) \(count == 1 ? "cookie" : "cookies") removed") }
    return .success
  }
}
