// The exit statuses of the command, one per kind of failure.

/// The exit status of `dray` by kind of failure. For a kind of failure that wget also has, the number is the same as
/// wget's.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Success: all that was requested is done.
  case success = 0
  /// Any other error.
  case other = 1
  /// Wrong usage, invalid input, no such job.
  case usage = 2
  /// A file could not be created, written, synced or published.
  case file = 3
  /// The network: name lookup, connection, timeout, a body cut off.
  case network = 4
  /// TLS: handshake or certificate.
  case tls = 5
  /// The server or the proxy requires valid credentials.
  case authentication = 6
  /// An answer that violates the protocol.
  case protocolViolation = 7
  /// The server answered with an error status.
  case status = 8
  /// A length, range or digest does not match, or a web page came in place of the file.
  case integrity = 9
  /// The job store cannot be used.
  case store = 10
  /// Stopped by SIGHUP, cleanly.
  case hangup = 129
  /// Stopped by SIGINT, cleanly.
  case interrupt = 130
  /// Stopped by SIGTERM, cleanly.
  case terminate = 143

  /// Whether a signal stopped the program.
  public var isStop: Bool { rawValue > 128 }

  /// Returns the status of a run in which several jobs failed: the lowest number except 1; 1 if all numbers are 1.
  public static func combined(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
    let failures = Set(statuses).subtracting([.success])
    return failures.subtracting([.other]).min { $0.rawValue < $1.rawValue } ?? failures.first ?? .success
  }
}
