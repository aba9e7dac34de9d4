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
    /// The seconds since its lease was renewed.
    var leaseAge: Double?
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
  ///   - signs: What they show; without a lease that lasts, `nil`. Their jobs are about to be free.
  ///   - now: The time of the monotonic clock, in seconds.
  /// - Returns: whether each of them has shown that it lives, or the run has waited long enough.
  mutating func look(_ signs: [UUID: Sign?], now: Double) -> Bool {
    let began = since ?? now
    since = began
    for (runner, sign) in signs where !living.contains(runner) {
      guard let sign else { continue }
      if let last = silent.updateValue(sign, forKey: runner), OtherRunners.lives(sign, after: last) {
        living.insert(runner)
      }
    }
    return now - began > OtherRunners.patience
      || signs.allSatisfy { $0.value != nil && living.contains($0.key) }
  }

  /// Whether a runner has done something between two signs. The age of a lease grows unless it is renewed.
  private static func lives(_ sign: Sign, after last: Sign) -> Bool {
    sign.board != last.board || sign.leaseAge.map { age in last.leaseAge.map { age < $0 } ?? true } ?? true
  }
}
