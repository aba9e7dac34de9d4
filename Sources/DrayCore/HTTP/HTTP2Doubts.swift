// Origins whose HTTP/2 failed a short time ago: the next try is over HTTP/1.1. Some servers and middleboxes break every stream.

/// Remembers where HTTP/2 failed.
public struct HTTP2Doubts: Sendable, Equatable {
  /// Seconds for which an origin is asked over HTTP/1.1.
  public static let span = 600.0
  /// The most origins that are remembered (P13).
  private static let most = 1000

  private var failures: [String: Double] = [:]

  /// None.
  public init() {}

  /// HTTP/2 failed at an origin.
  /// - Parameter now: seconds since 1970.
  public mutating func note(_ origin: String, now: Double) {
    failures = failures.filter { abs(now - $0.value) < HTTP2Doubts.span }
    if failures.count < HTTP2Doubts.most { failures[origin] = now }
  }

  /// Whether an origin is asked over HTTP/1.1.
  public func holds(for origin: String, now: Double) -> Bool {
    failures[origin].map { abs(now - $0) < HTTP2Doubts.span } ?? false
  }
}
