// The cookie of a session (RFC 6265).

internal import WebServer

/// The cookie `dray`, which scripts cannot read, and which browsers do not send with requests from other sites.
///
/// Browsers send it to every port of the host (RFC 6265 §8.5), perhaps also to a server of another user. Therefore the
/// cookie opens nothing by itself: each request must also have the session's key, which only pages of this origin can
/// read in their storage.
enum SessionCookie {
  static let name = "dray"
  static let keyField = "Dray-Key"
  /// The start of the query field that carries the key when the page opens the stream of events: an `EventSource`
  /// cannot send header fields of its own.
  private static let keyQuery = "key="
  private static let streams = "/api/v1/events"
  private static let attributes = "; Path=/; HttpOnly; SameSite=Strict"

  /// Returns the field that sets the cookie.
  /// - Parameter isSecure: Whether the browser used https. If so, the browser sends the cookie over https only.
  static func setting(_ token: String, isSecure: Bool) -> String {
    "\(name)=\(token)\(attributes); Max-Age=\(Int(Sessions.lifetime))" + (isSecure ? "; Secure" : "")
  }

  /// The value that removes the cookie.
  static let removal = "\(name)=\(attributes); Max-Age=0"

  /// Returns the tokens in a request's cookies named `dray`. There may be several, because another server on this host
  /// may set a cookie with the same name (cookies ignore ports, RFC 6265 §8.5).
  static func tokens(_ fields: WebFields) -> [String] {
    fields.all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.trimmingBlanks.elementsEqual(name.utf8) else { return nil }
      return String(decoding: parts[1].utf8.trimmingBlanks, as: UTF8.self)
    }
  }

  /// Returns the names of the sessions that a request may belong to: one for each cookie together with the key.
  static func sessions(of head: WebRequest, _ secret: Secret?) -> [String] {
    guard let secret, let key = key(of: head) else { return [] }
    return tokens(head.fields).prefix(4).map { secret.name(with: "\($0).\(key)") }
  }

  private static func key(of head: WebRequest) -> String? {
    if let key = head.fields[keyField] { return key.isEmpty ? nil : key }
    guard head.method == "GET", head.path == streams else { return nil }
    let pair = head.query?.split(separator: "&").first { $0.hasPrefix(keyQuery) }
    return pair.map { String($0.dropFirst(keyQuery.utf8.count)) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the browser used https, as a proxy reports it.
  static func isSecure(_ head: WebRequest) -> Bool { head.fields["X-Forwarded-Proto"]?.lowercased() == "https" }
}
