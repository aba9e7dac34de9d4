// Remembers the origins at which HTTP/2 failed recently, so that the next try uses HTTP/1.1: some servers and
// middleboxes break every stream.

/// The origins at which HTTP/2 failed.
package struct HTTP2Doubts: Sendable, Equatable {
  /// The seconds for which requests to an origin use HTTP/1.1.
  package static let span = 600.0
  /// The maximum number of origins that are remembered (P13).
  private static let most = 1000

  private var failures: [String: Double] = [:]

  /// Creates an empty record.
  package init() {}

  /// Records that HTTP/2 failed at an origin.
  /// - Parameter now: Seconds since 1970.
  package mutating func note(_ origin: String, now: Double) {
    failures = failures.filter { abs(now - $0.value) < HTTP2Doubts.span }
    if failures.count < HTTP2Doubts.most { failures[origin] = now }
  }

  /// Whether no origin's HTTP/2 has failed.
  package var isEmpty: Bool { failures.isEmpty }

  /// Whether requests to an origin use HTTP/1.1.
  package func holds(for origin: String, now: Double) -> Bool {
    failures[origin].map { abs(now - $0) < HTTP2Doubts.span } ?? false
  }
}
