// All jobs of a run in a few numbers.

/// Counts and sums over many jobs. Sizes join as they become known and leave when a job fails.
public struct Totals: Sendable, Hashable {
  /// Jobs in progress.
  public var active = 0
  /// Jobs that wait, and those paused.
  public var queued = 0
  /// Jobs that are complete.
  public var complete = 0
  /// Jobs that failed.
  public var failed = 0
  /// Jobs that were stopped with their bytes kept.
  public var interrupted = 0
  /// Jobs that the user paused while they were transferred.
  public var paused = 0
  /// Bytes received, of all jobs that count.
  public var received: Int64 = 0
  /// Bytes expected, as far as they are known: a job of unknown size counts with what it has.
  public var knownSize: Int64 = 0
  /// Jobs whose size is unknown yet.
  public var unknownSizes = 0
  /// Bytes a second, all together; nil if unknown.
  public var rate: Double?
  /// The limit on all jobs together, in bytes per second; nil if there is none.
  public var limit: Int64?
  /// Seconds until everything is received; nil if unknown.
  public var eta: Double?

  /// No jobs at all.
  public init() {}

  /// The totals of `items`; rates are added up, the time left follows from them where every size is known.
  public init(_ items: some Sequence<BarItem>) {
    for item in items { add(item) }
    if unknownSizes == 0, let rate, rate >= 1, active > 0 {
      let seconds = max(0, Double(knownSize) - Double(received)) / rate
      eta = seconds <= TimeText.longest ? seconds : nil
    }
  }

  /// Jobs in all.
  public var count: Int { active + queued + complete + failed + interrupted + paused }

  /// Whole percents, rounded down; nil while any size is unknown; 100 only when nothing is left to do.
  public var percent: Int? {
    guard unknownSizes == 0, count > 0 else { return nil }
    if active == 0, queued == 0, interrupted == 0, paused == 0, failed == 0 { return 100 }
    return min(99, Percent.floor(received, of: knownSize))
  }

  private mutating func add(_ item: BarItem) {
    switch item.state {
    case .queued, .paused: queued += 1
    case .complete: complete += 1
    case .failed:
      failed += 1
      return
    case .interrupted: interrupted += 1
    case .connecting, .sending, .active, .verifying, .publishing, .retrying: active += 1
    }
    guard item.state != .sending else {
      // What is sent is not part of any file.
      unknownSizes += 1
      return
    }
    received.add(item.received)
    if let size = item.state == .complete ? item.received : item.size {
      knownSize.add(size)
    } else {
      knownSize.add(item.received)
      unknownSizes += 1
    }
    if item.state == .active, let speed = item.rate { rate = (rate ?? 0) + speed }
  }
}

extension Int64 {
  /// Adds non-negative values and saturates: servers may claim any size, and drawing must not trap.
  fileprivate mutating func add(_ other: Int64) {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, other))
    self = overflow ? .max : sum
  }
}
