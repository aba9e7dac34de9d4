// http and https.

extension Scheme {
  private static let web: Set<Ability> = [
    .headerFields, .methods, .upload, .credentials, .resume, .tls, .proxy,
  ]

  /// HTTP (RFC 9110 §4.2.1).
  package static let http = Scheme(
    "http", port: 80, .http, authors: [.user, .document, .server], listing: .web, web, Form())

  /// HTTP over TLS (RFC 9110 §4.2.2).
  package static let https = Scheme(
    "https", port: 443, .http, authors: [.user, .document, .server], listing: .web, web, Form())
}
