// The counts and sums over all jobs of a run.

/// Counts and sums over several jobs. Sizes join as they become known, and leave when a job fails.
public struct Totals: Sendable, Hashable {
  public var active = 0
  /// The number of jobs that wait or are paused.
  public var queued = 0
  public var complete = 0
  public var failed = 0
  /// The number of jobs that were stopped with bytes kept.
  public var interrupted = 0
  /// The number of jobs that the user paused during their transfer.
  public var paused = 0
  /// The number of bytes received, over all jobs that count.
  public var received: Int64 = 0
  /// The number of bytes expected. A job of unknown size counts with its received bytes.
  public var knownSize: Int64 = 0
  public var unknownSizes = 0
  /// The total rate in bytes per second; `nil` if unknown.
  public var rate: Double?
  /// The limit on the total rate in bytes per second; `nil` if there is none.
  public var limit: Int64?
  /// The seconds until everything is received; `nil` if unknown.
  public var eta: Double?

  public init() {}

  /// Creates the totals of `items`. Rates are added up; the time left follows if all sizes are known.
  public init(_ items: some Sequence<BarItem>) {
    for item in items { add(item) }
    if unknownSizes == 0, let rate, rate >= 1, active > 0 {
      let seconds = max(0, Double(knownSize) - Double(received)) / rate
      eta = seconds <= TimeText.longest ? seconds : nil
    }
  }

  public var count: Int { active + queued + complete + failed + interrupted + paused }

  /// The percentage, rounded down; `nil` while any size is unknown; 100 only if nothing is left to do.
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
      // Bytes of a request are not part of any file.
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
  /// Adds non-negative values and saturates: servers may report any size, and drawing must not trap.
  fileprivate mutating func add(_ other: Int64) {
    let (sum, overflow) = addingReportingOverflow(Swift.max(0, other))
    self = overflow ? .max : sum
  }
}
