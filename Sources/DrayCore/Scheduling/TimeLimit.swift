// The limit on the time of an attempt.

/// The maximum time of an attempt, from its first request to its last byte, measured by the runner.
public struct TimeLimit: Sendable, Equatable {
  /// The number of seconds allowed.
  public var seconds: Double

  /// Creates a limit.
  public init(_ seconds: Double) { self.seconds = seconds }

  /// Returns the failure of an attempt that took too long. The bytes are kept. There is no retry, because the user set
  /// the limit, and another try would meet it as well.
  /// - Parameter subject: The URL, without secrets.
  public func failure(_ subject: String) -> Failure {
    Failure(
      .network, subject, "the transfer took longer than the allowed \(text)",
      advice: "\(.run) continues from there", recovery: .wait)
  }

  /// In readable form: `0.5 s`, `90 s`, `1 h 05 min`.
  private var text: String {
    if seconds < 10, seconds != seconds.rounded() { return "\((seconds * 1000).rounded() / 1000) s" }
    return TimeSpan.text(seconds)
  }
}
