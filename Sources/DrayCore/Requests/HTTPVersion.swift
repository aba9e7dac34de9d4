// Which version of HTTP a request asks for.

/// The version of HTTP that is wanted.
public enum HTTPVersion: String, Sendable, Codable, CaseIterable {
  case http11 = "1.1"
  /// Over TLS, where the server agrees; without TLS it is HTTP/1.1.
  case http2 = "2"
  /// Over QUIC; where that does not answer, over TCP.
  case http3 = "3"

  /// What a request to `url` asks for.
  /// - Parameters:
  ///   - wish: what the user asked for; `nil` is the best there is.
  ///   - isOffered: whether the origin has offered HTTP/3 (RFC 7838).
  ///   - isPossible: whether the libcurl in use has HTTP/3.
  /// - Returns: `nil` for what libcurl does by default: HTTP/2 over TLS, else HTTP/1.1.
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
