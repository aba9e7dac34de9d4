// The cookie that keeps a session (RFC 6265).

/// The cookie `dray`: not for scripts, not sent with requests that other sites cause.
enum SessionCookie {
  static let name = "dray"
  private static let attributes = "; Path=/; HttpOnly; SameSite=Strict"

  /// The field that sets it.
  /// - Parameter isSecure: whether the browser asked by https, and is to send it by nothing else.
  static func setting(_ token: String, isSecure: Bool) -> String {
    "\(name)=\(token)\(attributes); Max-Age=\(Int(Sessions.lifetime))" + (isSecure ? "; Secure" : "")
  }

  /// The field that removes it.
  static let removal = "\(name)=\(attributes); Max-Age=0"

  /// The tokens that a request brings; more than one where another server of this host has set a cookie of that name (cookies
  /// know no ports, RFC 6265 §8.5).
  static func tokens(_ fields: WebFields) -> [String] {
    fields.all("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.trimmingBlanks.elementsEqual(name.utf8) else { return nil }
      return String(decoding: parts[1].utf8.trimmingBlanks, as: UTF8.self)
    }
  }

  /// Whether the browser asked by https: a proxy in front says so.
  static func isSecure(_ head: WebRequest) -> Bool { head.fields["X-Forwarded-Proto"]?.lowercased() == "https" }
}
