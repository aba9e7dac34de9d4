// Decides whether a run may end while other runners of a fleet hold jobs.

internal import DrayStore

internal import struct FoundationEssentials.UUID

/// The other runners that hold jobs, watched since a run has nothing else to do.
///
/// Each must show that it lives: only then will it end its jobs, or does the next run have to. The jobs of one that does
/// not are free once its lease ends, and this run takes them over. So a run waits for a lease at most (30 s), and mostly
/// for a second, because a runner that transfers shows its progress.
struct OtherRunners {
  /// What a runner shows of itself.
  struct Sign: Equatable {
    /// The end of its lease, by the database's clock; `nil` without one that lasts. Its jobs are about to be free then.
    var leaseEnd: Double?
    /// Its progress.
    var board: RunnerBoard?
  }

  /// The runners that have shown nothing new, with what they showed last.
  private var silent: [UUID: Sign] = [:]
  /// The runners that have shown that they live.
  private var living: Set<UUID> = []
  /// The time of the first look.
  private var since: Double?

  /// The seconds after which the run ends anyway. The jobs of a dead runner may stay: a part file that cannot be removed,
  /// or moved into place, keeps its job.
  static let patience = 90.0

  /// Takes a look at the runners that hold jobs.
  /// - Parameters:
  ///   - signs: What they show.
  ///   - now: The time of the monotonic clock, in seconds.
  /// - Returns: those that have not shown that they live; none once the run has waited long enough.
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

  /// Whether a runner has done something between two signs. Nobody but the runner shows a board or makes its lease end
  /// later. The age of its lease would prove nothing: the database's clock may have been set back, after which others
  /// shorten the lease. Nor would a board that is gone, as a crash of the database empties all.
  private static func lives(_ sign: Sign, after last: Sign) -> Bool {
    if let board = sign.board, board != last.board { return true }
    guard let end = sign.leaseEnd, let lastEnd = last.leaseEnd else { return false }
    return end > lastEnd
  }
}
