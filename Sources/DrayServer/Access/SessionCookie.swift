// The cookie of a session (RFC 6265).

internal import WebServer

/// The cookie `dray`: hidden from scripts, and not sent with requests from other sites.
enum SessionCookie {
  static let name = "dray"
  private static let attributes = "; Path=/; HttpOnly; SameSite=Strict"

  /// Returns the field that sets it.
  /// - Parameter isSecure: Whether the browser used https. The cookie is then sent over https only.
  static func setting(_ token: String, isSecure: Bool) -> String {
    "\(name)=\(token)\(attributes); Max-Age=\(Int(Sessions.lifetime))" + (isSecure ? "; Secure" : "")
  }

  /// The field that removes it.
  static let removal = "\(name)=\(attributes); Max-Age=0"

  /// Returns the tokens in a request. There may be several, because another server on this host may set a cookie with
  /// this name (cookies ignore ports, RFC 6265 §8.5).
  static func tokens(_ fields: WebFields) -> [String] {
    fields.all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.trimmingBlanks.elementsEqual(name.utf8) else { return nil }
      return String(decoding: parts[1].utf8.trimmingBlanks, as: UTF8.self)
    }
  }

  /// Whether the browser used https, as reported by a proxy.
  static func isSecure(_ head: WebRequest) -> Bool { head.fields["X-Forwarded-Proto"]?.lowercased() == "https" }
}
