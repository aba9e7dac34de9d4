// A cookie with all its attributes, and its line in the Netscape format.

/// A cookie (RFC 6265).
package struct Cookie: Sendable, Hashable, Codable {
  /// The identity of a cookie. A later cookie with the same identity replaces the earlier one (RFC 6265 §5.3).
  package struct Key: Hashable, Sendable {
    /// The domain in lowercase, without a leading dot.
    package var domain: String
    /// Whether subdomains also receive the cookie.
    package var includesSubdomains: Bool
    /// The path.
    package var path: String
    /// The name.
    package var name: String
  }

  /// The domain in lowercase, without a leading dot.
  package var domain: String
  /// Whether subdomains also receive the cookie.
  package var includesSubdomains: Bool
  /// The path below which the cookie is sent.
  package var path: String
  /// Whether the cookie is sent over https only.
  package var isSecure: Bool
  /// Whether the cookie is hidden from a page's scripts.
  package var isHTTPOnly: Bool
  /// The time of expiry, in seconds since 1970; `nil` for a session cookie.
  package var expires: Int64?
  /// The name.
  package var name: String
  /// The value, a secret.
  package var value: String

  /// Creates a cookie.
  package init(
    domain: String, includesSubdomains: Bool = false, path: String = "/", isSecure: Bool = false,
    isHTTPOnly: Bool = false, expires: Int64? = nil, name: String, value: String
  ) {
    self.domain = Cookie.normalized(domain)
    self.includesSubdomains = includesSubdomains
    self.path = path
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.expires = expires
    self.name = name
    self.value = value
  }

  /// The identity of the cookie.
  package var key: Key {
    Key(domain: domain, includesSubdomains: includesSubdomains, path: path, name: name)
  }

  /// Whether the cookie is expired at `now`.
  package func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

  /// Whether this cookie is selected by a domain that the user gives: its own domain or a parent of it.
  package func belongs(to domain: String) -> Bool {
    let wanted = Cookie.normalized(domain)
    return self.domain == wanted || self.domain.hasSuffix("." + wanted)
  }

  static func normalized(_ domain: String) -> String {
    String(domain.drop { $0 == "." }).lowercased()
  }

  // MARK: The Netscape format

  private static let httpOnlyMark = "#HttpOnly_"

  /// Reads one line; `nil` for a comment, and for an empty or invalid line. curl, wget and browser exports write seven
  /// fields separated by tabs, and may omit an empty value.
  package init?(line: some StringProtocol) {
    var rest = Substring(line)
    while let last = rest.unicodeScalars.last, last == "\n" || last == "\r" { rest.unicodeScalars.removeLast() }
    let isHTTPOnly = rest.hasPrefix(Cookie.httpOnlyMark)
    if isHTTPOnly { rest = rest.dropFirst(Cookie.httpOnlyMark.count) }
    guard !rest.hasPrefix("#") else { return nil }
    var fields = rest.split(separator: "\t", omittingEmptySubsequences: false)
    if fields.count == 6 { fields.append("") }
    guard fields.count == 7, let place = fields[0].drop(while: { $0 == "." }).first, place != "#",
      fields[2].hasPrefix("/"),
      !fields[5].isEmpty, let expires = Cookie.time(fields[4]),
      FieldRule.isValue(String(rest))
    else { return nil }
    self.init(
      domain: String(fields[0]), includesSubdomains: fields[1].uppercased() == "TRUE", path: String(fields[2]),
      isSecure: fields[3].uppercased() == "TRUE", isHTTPOnly: isHTTPOnly, expires: expires == 0 ? nil : expires,
      name: String(fields[5]), value: String(fields[6]))
  }

  /// Reads the time of expiry, which some programs write with a fraction. A time before 1970 becomes 1, because 0 means
  /// a session cookie.
  private static func time(_ text: Substring) -> Int64? {
    if let whole = Int64(text) { return whole < 0 ? 1 : whole }
    guard let seconds = Double(text), seconds.isFinite, abs(seconds) < 1e15 else { return nil }
    return max(1, Int64(seconds))
  }

  /// The cookie as a line, without the end of line. As in curl, a domain whose subdomains also receive the cookie
  /// begins with a dot.
  package var line: String {
    let place = (isHTTPOnly ? Cookie.httpOnlyMark : "") + (includesSubdomains ? "." : "") + domain
    let flag = includesSubdomains ? "TRUE" : "FALSE"
    return [place, flag, path, isSecure ? "TRUE" : "FALSE", "\(expires ?? 0)", name, value].joined(separator: "\t")
  }

  /// Whether the cookie can be written as a line and sent: no text in it contains what ends a field or the line.
  package var isWellFormed: Bool {
    let texts = [domain, path, name, value]
    return !domain.isEmpty && path.hasPrefix("/") && !name.isEmpty && !name.contains("=") && !name.contains(";")
      && !value.contains(";")
      && texts.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
  }
}

extension Cookie {
  /// Whether the cookie belongs to the site of a host: to the host, a parent domain, or a sibling host with the same
  /// last two labels. An address is the only host of its site.
  package func isOfSite(of host: String) -> Bool {
    let host = Cookie.normalized(host)
    if domain == host || host.hasSuffix("." + domain) { return true }
    guard host.contains("."), !host.hasPrefix("["), host.split(separator: ".").contains(where: { UInt8($0) == nil })
    else { return false }
    let site = host.split(separator: ".").suffix(2).joined(separator: ".")
    return domain == site || domain.hasSuffix("." + site)
  }
}
