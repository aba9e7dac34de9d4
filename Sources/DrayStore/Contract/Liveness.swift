// The contract of a job store for leases: which runners live, and their progress.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The leases of runners. The rules of ``JobReading`` on failures and threads apply here too.
///
/// A runner lives as long as its lease, which ends with ``RunnerLease/release()`` or with its process, however that
/// ends. A runner taken for dead no longer writes any byte. If a store cannot tell, the runner counts as alive (P9).
package protocol Liveness: Sendable {
  /// Acquires a lease for a new runner.
  /// - Throws: kind `store` if no lease can be acquired.
  func acquireLease() async throws(Failure) -> any RunnerLease

  /// Returns the live runners, whether they hold jobs or not.
  func livingRunners() async throws(Failure) -> Set<UUID>

  /// Returns the dead ones among `runners`.
  func deadRunners(among runners: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// Forgets dead runners that no job names (``JobReading/activeRunners()``).
  func forgetDeadRunners() async throws(Failure)

  /// Returns the board that a runner showed last; `nil` if it has shown none, or is gone.
  func board(of runner: UUID) async throws(Failure) -> RunnerBoard?
}

/// The lease of one runner. Releasing the object ends the lease too.
package protocol RunnerLease: Sendable {
  /// The UUID of the runner.
  var runner: UUID { get }

  /// Shows other processes the progress of the runner's jobs; call it at most a few times a second. Not durable.
  func show(_ board: RunnerBoard) async throws(Failure)

  /// Gives up the lease. After it returns, other runners may take the runner's jobs.
  func release() async
}

extension Liveness {
  /// Runs `body` with the lease of a new runner, and releases it afterwards.
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
