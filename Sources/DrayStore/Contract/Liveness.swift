// The contract of a job store, for leases: which runners live, and what each of them is doing.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The leases of runners. What ``JobReading`` says of failures and threads holds here, too.
///
/// A runner lives as long as its lease, which ends with ``RunnerLease/release()`` or with its process, however that ends. A runner
/// that is taken for dead writes no byte any more; where a store cannot know, a runner lives (P9).
package protocol Liveness: Sendable {
  /// Acquires a lease for a new runner.
  /// - Throws: kind `store` where there is none to be had.
  func acquireLease() async throws(Failure) -> any RunnerLease

  /// The runners that live now, whether they hold jobs or not.
  func livingRunners() async throws(Failure) -> Set<UUID>

  /// The dead ones among `runners`.
  func deadRunners(among runners: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// Forgets the dead runners that no job names (``JobReading/activeRunners()``).
  func forgetDeadRunners() async throws(Failure)

  /// What a runner showed last; `nil` if that is nothing yet, or the runner is gone.
  func board(of runner: UUID) async throws(Failure) -> RunnerBoard?
}

/// The lease of one runner. One that is simply released by its owner ends, too.
package protocol RunnerLease: Sendable {
  /// The name of the runner.
  var runner: UUID { get }

  /// Shows other processes how the runner's jobs stand; at most a few times a second. Not durable.
  func show(_ board: RunnerBoard) async throws(Failure)

  /// Gives the lease up. Once it has returned, others may take the runner's jobs.
  func release() async
}

extension Liveness {
  /// Runs `body` as a runner of its own, which ends with it.
  package func withLease<Value>(
    _ body: (any RunnerLease) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let lease = try await acquireLease()
    do throws(Failure) {
      let value = try await body(lease)
      await lease.release()
      return value
    } catch {
      await lease.release()
      throw error
    }
  }
}
