// The fences of the jobs that this process holds, and the ends of its leases.

import DrayCore
import Synchronization

import struct FoundationEssentials.UUID

/// The claims and leases of this process. A write names the fence of the newest claim of its job.
final class OwnedJobs: Sendable {
  private struct State {
    var fences: [UUID: [JobID: Int64]] = [:]
    var leaseEnds: [UUID: Double] = [:]
  }

  private let state = Mutex(State())

  /// Remembers the fence of a claim.
  /// - Returns: whether it is new.
  @discardableResult
  func record(_ fence: Int64, of job: JobID, runner: UUID) -> Bool {
    state.withLock { $0.fences[runner, default: [:]].updateValue(fence, forKey: job) != fence }
  }

  /// Returns the fence of a job; 0 if this process did not claim it.
  func fence(of job: JobID, runner: UUID) -> Int64 { state.withLock { $0.fences[runner]?[job] ?? 0 } }

  /// Returns the fences of jobs, in their order.
  func fences(of jobs: [JobID], runner: UUID) -> [Int64] {
    state.withLock { state in
      let known = state.fences[runner] ?? [:]
      return jobs.map { known[$0] ?? 0 }
    }
  }

  /// Forgets jobs that the runner no longer holds.
  func forget(_ jobs: some Sequence<JobID>, runner: UUID) {
    state.withLock { state in for job in jobs { state.fences[runner]?[job] = nil } }
  }

  /// Forgets all claims of a runner.
  func forgetAll(of runner: UUID) { state.withLock { $0.fences[runner] = nil } }

  /// Records when a lease ends, by ``FleetClock``; `nil` if the runner has none any more.
  func setLease(of runner: UUID, until end: Double?) { state.withLock { $0.leaseEnds[runner] = end } }

  /// Returns when the lease of a runner ends; `nil` if it has none from this process.
  func leaseEnd(of runner: UUID) -> Double? { state.withLock { $0.leaseEnds[runner] } }

  /// The seconds until the first lease of this process ends; `nil` if it has none.
  var leaseRest: Double? { state.withLock { $0.leaseEnds.values.min() }.map { $0 - FleetClock.now() } }

  /// A condition for a row of `hot` that a runner holds by its newest claim.
  func condition(_ id: JobID, _ runner: UUID) -> SQL {
    let fence = fence(of: id, runner: runner)
    let isHeld: SQL = "hot.id = \(id) AND \(OwnedJobs.isOwner(runner))"
    return fence == 0 ? isHeld : "\(isHeld) AND fence = \(fence)"
  }

  /// A condition for a row of `hot` that is found by its number, and is held by a runner. With `=`, the server might use the
  /// index of held jobs, which looks short to it and may be full of dead entries.
  static func isOwner(_ runner: UUID) -> SQL { "runner IS NOT DISTINCT FROM \(runner)" }

  /// The columns of a new claim. A job whose last claim was made in the database of which this one is a copy, or before
  /// a failover, may still have an owner there.
  static let newFence: SQL = """
    fence = nextval('fences'),
    part = CASE WHEN fence <= (SELECT foreign_fences FROM dray_store) THEN \(lostPart) ELSE part END
    """

  /// The text of a part file's generation whose last owner may still write (``DrayCore/PartGeneration``).
  static let lostPart: SQL = "rtrim(coalesce(part, '0'), '!') || '!'"
}
