#if Postgres

internal import DrayCore
internal import Synchronization

internal import struct FoundationEssentials.UUID

/// The claims and leases of this process: the fences of its jobs, and the ends of its leases. Each write names the
/// fence of its job's newest claim.
final class OwnedJobs: Sendable {
  private struct State {
    var fences: [UUID: [JobID: Int64]] = [:]
    var leaseEnds: [UUID: Double] = [:]
  }

  private let state = Mutex(State())

  /// Remembers the fence of a claim.
  /// - Returns: Whether the fence is new.
  @discardableResult
  func record(_ fence: Int64, of job: JobID, runner: UUID) -> Bool {
    state.withLock { $0.fences[runner, default: [:]].updateValue(fence, forKey: job) != fence }
  }

  /// Returns the fence of a job; 0 if this process did not claim it.
  func fence(of job: JobID, runner: UUID) -> Int64 { state.withLock { $0.fences[runner]?[job] ?? 0 } }

  /// Returns the fences in the order of `jobs`.
  func fences(of jobs: [JobID], runner: UUID) -> [Int64] {
    state.withLock { state in
      let known = state.fences[runner] ?? [:]
      return jobs.map { known[$0] ?? 0 }
    }
  }

  func forget(_ jobs: some Sequence<JobID>, runner: UUID) {
    state.withLock { state in for job in jobs { state.fences[runner]?[job] = nil } }
  }

  func forgetAll(of runner: UUID) { state.withLock { $0.fences[runner] = nil } }

  /// Records when a lease ends, by ``FleetClock``; `nil` for a runner without a lease.
  func setLease(of runner: UUID, until end: Double?) { state.withLock { $0.leaseEnds[runner] = end } }

  /// Returns when a runner's lease ends; `nil` if this process has no lease for it.
  func leaseEnd(of runner: UUID) -> Double? { state.withLock { $0.leaseEnds[runner] } }

  /// The seconds until the first lease of this process ends; `nil` if the process has none.
  var leaseRest: Double? { state.withLock { $0.leaseEnds.values.min() }.map { $0 - FleetClock.now() } }

  /// A condition on a job's row in `hot`: the runner owns the job by its newest claim.
  func condition(_ id: JobID, _ runner: UUID) -> SQL {
    let fence = fence(of: id, runner: runner)
    let isHeld: SQL = "hot.id = \(id) AND \(OwnedJobs.isOwner(runner))"
    return fence == 0 ? isHeld : "\(isHeld) AND fence = \(fence)"
  }

  /// A condition on a row of `hot` that is found by its number: the runner owns the job. With `=` instead, the planner
  /// might choose the index of owned jobs: it estimates this index as small, although it may be full of dead entries.
  static func isOwner(_ runner: UUID) -> SQL { "runner IS NOT DISTINCT FROM \(runner)" }

  /// The columns that a new claim sets. In a copy of the database, or after a failover, the job may still have an owner
  /// at the original database. Its part file is then marked as lost.
  static let newFence: SQL = """
    fence = nextval('fences'),
    part = CASE WHEN fence <= (SELECT foreign_fences FROM dray_store) THEN \(lostPart) ELSE part END
    """

  /// Marks that the last owner may still write to this generation of the part file (``DrayCore/PartGeneration``).
  static let lostPart: SQL = "rtrim(coalesce(part, '0'), '!') || '!'"
}

#endif
