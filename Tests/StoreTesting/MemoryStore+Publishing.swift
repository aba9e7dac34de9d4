// The store in memory, for runners: publishing.

package import DrayCore
package import DrayStore
package import Foundation

extension MemoryStore {
  package func beginPublishing(
    _ batch: [PublishIntent], after finished: [Finished], runner: UUID, now: Double, isDurable: Bool
  ) throws(Failure) -> PublishStart {
    try change { state in
      let ended = state.finish(finished, runner, now)
      return PublishStart(permits: batch.map { state.permit($0, runner) }, ended: ended)
    }
  }

  package func finish(_ batch: [Finished], runner: UUID, now: Double) throws(Failure) -> Set<JobID> {
    try change { $0.finish(batch, runner, now) }
  }

  package func interruptPublishing(
    _ id: JobID, runner: UUID, failure: Failure?, attempt: AttemptRecord
  ) throws(Failure) -> Bool {
    try change { state in
      state.update(id, runner, pending: .yield, attempt: attempt) { row in
        (row.job.state, row.job.runner, row.job.failure) = (.interrupted, nil, failure)
      }
    }
  }

  package func claimPublishing(runner: UUID, scope: ClaimScope) throws(Failure) -> [Job] {
    let isMember = member(of: scope)
    return try change { state in
      let half = state.sorted {
        [.queued, .interrupted].contains($0.job.state) && $0.job.publishing != nil && isMember($0)
      }
      return state.take(half.map(\.job.id), runner)
    }
  }
}
