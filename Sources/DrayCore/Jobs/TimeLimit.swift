// How long an attempt at a job may take: a pure rule; the runner has the clock.

/// The longest time that one attempt may take, from its first request to its last byte.
public struct TimeLimit: Sendable, Equatable {
  /// Seconds that are allowed.
  public var seconds: Double

  /// Makes a limit.
  public init(_ seconds: Double) { self.seconds = seconds }

  /// What an attempt that took longer ends with. Its bytes are kept, and it is not begun again by itself: that is its user's
  /// limit, and nothing that another try would better.
  /// - Parameter subject: the URL, without secrets.
  public func failure(_ subject: String) -> Failure {
    Failure(
      .network, subject, "the transfer took longer than the allowed \(text)",
      advice: "\(.run) continues from there; \(.maxTime) sets the limit", recovery: .wait)
  }

  /// The limit as it is read: `0.5 s`, `90 s`, `1 h 05 min`.
  private var text: String {
    if seconds < 10, seconds != seconds.rounded() { return "\((seconds * 1000).rounded() / 1000) s" }
    return TimeSpan.text(seconds)
  }
}
