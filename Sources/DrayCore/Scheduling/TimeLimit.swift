// Limits the time of an attempt.

/// The maximum time of an attempt, from its first request to its last byte, measured by the runner.
package struct TimeLimit: Sendable, Equatable {
  /// The number of seconds that the attempt may take.
  package var seconds: Double

  /// Creates a limit.
  package init(_ seconds: Double) { self.seconds = seconds }

  /// Returns the failure of an attempt that took too long. The bytes that it received are kept. It is not retried,
  /// because the user set the limit, and another attempt would exceed it as well.
  /// - Parameter subject: The URL, without secrets.
  package func failure(_ subject: String) -> Failure {
    Failure(
      .network, subject, "the transfer took longer than the allowed \(text)",
      advice: "\(.run) continues from there; \(.maxTime) sets the limit", recovery: .wait)
  }

  /// The time in a form that people read: `0.5 s`, `90 s`, `1 h 05 min`.
  private var text: String {
    if seconds < 10, seconds != seconds.rounded() { return "\((seconds * 1000).rounded() / 1000) s" }
    return TimeSpan.text(seconds)
  }
}
