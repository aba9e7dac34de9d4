// Decides whether a run may end although other runners of a fleet own jobs.

internal import DrayStore

internal import struct FoundationEssentials.UUID

/// The other runners that own jobs. They are observed once this run has nothing else to do.
///
/// Each of them must show that it is alive. A runner that is alive ends its jobs by itself, or leaves them to the next
/// run. The jobs of a dead runner become free when its lease ends, and this run takes them over. This run therefore
/// waits at most until a lease ends (30 s). Usually it waits for one second, because a runner that transfers jobs shows
/// its progress that often.
struct OtherRunners {
  /// The signs by which a runner shows that it is alive.
  struct Sign: Equatable {
    /// The end of the lease by the database's clock; `nil` if there is no valid lease. In that case, the jobs will soon
    /// be free.
    var leaseEnd: Double?
    var board: RunnerBoard?
  }

  /// The runners whose signs have not changed, with their last signs.
  private var silent: [UUID: Sign] = [:]
  /// The runners that have shown that they are alive.
  private var living: Set<UUID> = []
  private var since: Double?

  /// The number of seconds after which the run ends in any case. The jobs of a dead runner may stay: if a part file can
  /// be neither removed nor moved to its place, its job is not released.
  static let patience = 90.0

  /// Updates these sets with the present signs.
  /// - Parameters:
  ///   - signs: The present signs of the runners that own jobs.
  ///   - now: The time of the monotonic clock, in seconds.
  /// - Returns: The runners that have not shown that they are alive; none if the run has waited long enough.
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

  /// Whether a runner has done anything between two signs. Only the runner itself changes its board, and moves the end
  /// of its lease to a later time. The age of a lease proves nothing, because other runners shorten leases if the
  /// database's clock was set back. A missing board proves nothing either, because a crash of the database loses all
  /// boards.
  private static func lives(_ sign: Sign, after last: Sign) -> Bool {
    if let board = sign.board, board != last.board { return true }
    guard let end = sign.leaseEnd, let lastEnd = last.leaseEnd else { return false }
    return end > lastEnd
  }
}
