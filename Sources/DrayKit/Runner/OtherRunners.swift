// Decides whether a run may end although other runners of a fleet own jobs.

internal import DrayStore

internal import struct FoundationEssentials.UUID

/// The other runners that own jobs, observed once this run has nothing else to do.
///
/// Each of them must show that it lives. A live runner ends its jobs itself, or leaves them to the next run. The jobs
/// of a dead one become free when its lease ends, and this run takes them over. So this run waits at most until the end
/// of a lease (30 s). Usually it waits for a second, because a runner that transfers shows its progress that often.
struct OtherRunners {
  /// What shows that a runner lives.
  struct Sign: Equatable {
    /// The end of the lease, by the database's clock; `nil` without a valid lease, in which case the jobs are about to
    /// become free.
    var leaseEnd: Double?
    var board: RunnerBoard?
  }

  /// The runners that have shown nothing new, with their last signs of life.
  private var silent: [UUID: Sign] = [:]
  /// The runners that have shown that they live.
  private var living: Set<UUID> = []
  private var since: Double?

  /// The seconds after which the run ends nevertheless. The jobs of a dead runner may stay: if a part file can be
  /// neither removed nor moved to its place, its job is not released.
  static let patience = 90.0

  /// Updates what is known with the present signs of life.
  /// - Parameters:
  ///   - signs: The present signs of the runners that own jobs.
  ///   - now: The time of the monotonic clock, in seconds.
  /// - Returns: The runners that have not shown that they live; none after the run has waited long enough.
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

  /// Whether a runner has done something between two signs. Only the runner itself shows its board, and makes its lease
  /// end later. The age of its lease proves nothing, because other runners shorten leases if the database's clock was
  /// set back. A missing board proves nothing either, because a crash of the database loses all boards.
  private static func lives(_ sign: Sign, after last: Sign) -> Bool {
    if let board = sign.board, board != last.board { return true }
    guard let end = sign.leaseEnd, let lastEnd = last.leaseEnd else { return false }
    return end > lastEnd
  }
}
