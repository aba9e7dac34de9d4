// Decides whether a run may end while other runners of a fleet own jobs.

internal import DrayStore

internal import struct FoundationEssentials.UUID

/// The other runners that own jobs, watched once this run has nothing else to do.
///
/// Each must show that it lives. A live runner ends its jobs, or leaves them to the next run. The jobs of a dead runner
/// are free once its lease ends, and this run takes them over. This run therefore waits for the end of a lease at most
/// (30 s). Usually it waits for a second, because a runner that transfers shows its progress.
struct OtherRunners {
  /// The signs of life of a runner.
  struct Sign: Equatable {
    /// The end of the lease, by the database's clock; `nil` without a valid lease. The runner's jobs are then about to
    /// be free.
    var leaseEnd: Double?
    var board: RunnerBoard?
  }

  /// The runners that have shown nothing new, with their last signs.
  private var silent: [UUID: Sign] = [:]
  /// The runners that have shown that they live.
  private var living: Set<UUID> = []
  private var since: Double?

  /// Seconds after which the run ends anyway. The jobs of a dead runner may stay: if a part file can neither be removed
  /// nor moved into place, its job is not released.
  static let patience = 90.0

  /// Looks at the runners that own jobs.
  /// - Parameters:
  ///   - signs: Their present signs.
  ///   - now: The time of the monotonic clock, in seconds.
  /// - Returns: The runners that have not shown that they live; none once the run has waited long enough.
  mutating func look(_ signs: [UUID: Sign], now: Double) -> Set<UUID> {
    let began = since ?? now
    since = began
    for (runner, sign) in signs where sign.leaseEnd != nil && !living.contains(runner) {
      if let last = silent.updateValue(sign, forKey: runner), OtherRunners.lives(sign, after: last) {
        living.insert(runner)
      }
    }
    guard now - began <= OtherRunners.patience else { return [] }
    return Set(signs.filter { $0.value.leaseEnd == nil || !living.contains($0.key) }.keys)
  }

  /// Whether a runner has done something between two signs. Nobody else shows its board or makes its lease end later.
  /// The age of its lease would prove nothing: if the database's clock was set back, other runners shorten the lease. A
  /// missing board would prove nothing either, because a crash of the database empties all boards.
  private static func lives(_ sign: Sign, after last: Sign) -> Bool {
    if let board = sign.board, board != last.board { return true }
    guard let end = sign.leaseEnd, let lastEnd = last.leaseEnd else { return false }
    return end > lastEnd
  }
}
