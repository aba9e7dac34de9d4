// Decides how many files of a middle length are transferred at once: more where each gets little.

/// The class of a file's length, for the number of files that are transferred at once.
public enum SizeClass: Sendable {
  /// A file that takes little longer than its round trips.
  case small
  /// A file that takes seconds on a slow line, and no time to speak of on a fast one.
  case middle
  /// A file that fills a line alone, or of unknown length.
  case large
}

/// How a file came.
public struct FilePace: Sendable, Equatable {
  /// The bytes of the file.
  public var bytes: Int64
  /// The seconds from its header to its end.
  public var seconds: Double
  /// The seconds of a round trip; at most, as the server's own time counts too.
  public var roundTrip: Double

  /// Creates a pace.
  public init(bytes: Int64, seconds: Double, roundTrip: Double) {
    (self.bytes, self.seconds, self.roundTrip) = (bytes, seconds, roundTrip)
  }

  /// Whether it took so long that a new connection would have been as fast as this one most of the time: the slow start
  /// of a connection takes some ten round trips (RFC 5681 §3.1).
  var isLong: Bool { seconds >= 40 * roundTrip }

  var rate: Double { Double(bytes) / max(seconds, 1e-6) }
}

/// The number of files of a middle length that are transferred at once.
///
/// Several connections to one such file would hardly have opened before it is complete. So where a server limits each
/// connection, or packets are lost, more files are transferred instead. If they together bring too little more than
/// the few before, the number falls back for the rest of the run.
struct MiddleFiles: Sendable {
  /// The number of files at first, and afterwards.
  static let (few, many) = (JobGrowth.few, JobGrowth.slow)

  /// The number of files.
  private(set) var limit = MiddleFiles.few
  /// The sum of the rates of files in bytes a second, and their number, since `limit` last changed.
  private var (sum, count) = (0.0, 0)
  /// The mean rate of a file among few.
  private var before: Double?
  /// The number of files that were in progress when `limit` changed. Their rates say nothing about it.
  private var older = 0
  private var isSettled = false

  /// Records that a file is complete, while `others` of its class are in progress.
  mutating func ended(_ pace: FilePace, others: Int) {
    guard !isSettled else { return }
    guard older == 0 else {
      older -= 1
      return
    }
    (sum, count) = (sum + pace.rate, count + 1)
    if let before {
      guard count >= limit else { return }
      isSettled = true
      let gain = sum / Double(count) * Double(limit) / (before * Double(MiddleFiles.few)) - 1
      let added = Double(limit) / Double(MiddleFiles.few) - 1
      if gain < JobGrowth.worthwhile * added { limit = MiddleFiles.few }
    } else if pace.isLong {
      before = sum / Double(count)
      (limit, sum, count, older) = (MiddleFiles.many, 0, 0, others)
    }
  }
}
