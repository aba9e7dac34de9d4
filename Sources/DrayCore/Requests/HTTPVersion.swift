/// An HTTP version that the user may request.
public enum HTTPVersion: String, Sendable, Codable, CaseIterable {
  case http11 = "1.1"
  /// HTTP/2 over TLS if the server agrees; HTTP/1.1 without TLS.
  case http2 = "2"
  /// HTTP/3 over QUIC; over TCP if QUIC does not answer.
  case http3 = "3"

  /// Returns the version for a request to `url`.
  /// - Parameters:
  ///   - wish: The version that the user requested; `nil` for the best available.
  ///   - isOffered: Whether the origin offered HTTP/3 (RFC 7838).
  ///   - isPossible: Whether the installed libcurl supports HTTP/3.
  /// - Returns: `nil` for libcurl's own choice: HTTP/2 over TLS, otherwise HTTP/1.1.
  public static func choose(
    _ wish: HTTPVersion?, for url: RequestURL, isOffered: Bool, isPossible: Bool
  ) -> HTTPVersion? {
    switch wish {
    case .http11: return .http11
    case .http2: return nil
    case .http3, nil:
      guard url.scheme == "https", isPossible, wish == .http3 || isOffered else { return nil }
      return .http3
    }
  }
}
