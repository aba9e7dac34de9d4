// The lengths and durations of files, on which the number of concurrent transfers depends.

/// The class of a file's length, for the number of files that are transferred at once.
public enum SizeClass: Sendable {
  /// A file that takes little longer than its round trips.
  case small
  /// A file that takes seconds over a slow connection. Further connections would hardly be open before the file is
  /// complete.
  case middle
  /// A file that is worth several connections, or of unknown length.
  case large
}

/// The duration of a file.
public struct FilePace: Sendable, Equatable {
  /// Seconds from the header until the file was complete and checked.
  public var seconds: Double
  /// Seconds of a round trip, including the server's time for the answer.
  public var roundTrip: Double

  /// Creates a pace.
  public init(seconds: Double, roundTrip: Double) { (self.seconds, self.roundTrip) = (seconds, roundTrip) }

  /// Whether the file took far longer than the slow start of a new connection, which lasts some ten round trips (RFC
  /// 5681 §3.1), and than the work that a further job costs.
  var isLong: Bool { seconds >= max(0.3, 40 * roundTrip) }
}
