// The lengths and durations of files, from which the number of concurrent transfers is decided.

/// A class of file lengths.
package enum SizeClass: Sendable {
  /// A file that takes little longer than its round trips.
  case small
  /// A file that takes seconds over a slow connection. By the time additional connections are open, the file is almost
  /// complete.
  case middle
  /// A file that is worth several connections, or of unknown length.
  case large
}

/// How long a file took.
public struct FilePace: Sendable, Equatable {
  /// The number of seconds from the head of the answer until the file was complete and checked.
  public var seconds: Double
  /// The seconds of a round trip, including the time in which the server made the answer.
  public var roundTrip: Double

  /// Creates a pace.
  public init(seconds: Double, roundTrip: Double) { (self.seconds, self.roundTrip) = (seconds, roundTrip) }

  /// Whether the file took far longer than it takes to begin another job, and longer than the slow start of a new
  /// connection, which lasts about ten round trips (RFC 5681 §3.1).
  var isLong: Bool { seconds >= max(0.3, 40 * roundTrip) }
}
