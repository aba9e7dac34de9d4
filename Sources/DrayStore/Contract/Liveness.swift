// The contract of a job store for leases: which runners are alive, and what progress they make.

package import DrayCore

package import struct FoundationEssentials.UUID

/// The leases of runners. The rules of ``JobReading`` on failures and threads also apply here.
///
/// A runner counts as alive as long as its lease lasts. The lease ends with ``RunnerLease/release()``, or when the
/// runner's process ends, no matter how. A runner that counts as dead writes no more bytes. If a store cannot tell
/// whether a runner is alive, the runner counts as alive (P9).
package protocol Liveness: Sendable {
  /// - Throws: Kind `store` if no lease can be acquired.
  func acquireLease() async throws(Failure) -> any RunnerLease

  /// Acquires a lease for a runner with a name that people see; stores that do not record names ignore it.
  /// - Throws: Kind `store` if no lease can be acquired.
  func acquireLease(named name: String) async throws(Failure) -> any RunnerLease

  /// Returns records of the live runners, with or without jobs.
  func runnerRecords() async throws(Failure) -> [RunnerRecord]

  /// Returns records of runners that died a short time ago: these runners did not release their leases, and are not
  /// forgotten yet.
  func deadRunnerRecords() async throws(Failure) -> [RunnerRecord]

  /// Returns how many attempts of each runner failed within the last hour, by the runner's name; `nil` if the store
  /// does not know.
  func failedAttempts() async throws(Failure) -> [String: Int]?

  /// Returns the live runners, with or without jobs.
  func livingRunners() async throws(Failure) -> Set<UUID>

  func deadRunners(among runners: Set<UUID>) async throws(Failure) -> Set<UUID>

  /// Forgets dead runners that own no jobs (``JobReading/activeRunners()``).
  func forgetDeadRunners() async throws(Failure)

  /// Returns the last board of a runner; `nil` if the runner has shown none, or is gone.
  func board(of runner: UUID) async throws(Failure) -> RunnerBoard?
}

extension Liveness {
  /// Runs `body` with the lease of a new runner. The lease is renewed until `body` returns, and then released.
  package func withLease<Value>(
    _ body: (any RunnerLease) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let lease = try await acquireLease()
    let keeping = lease.remaining == nil ? nil : Task { await lease.keep() }
    defer { keeping?.cancel() }
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

package enum LeaseRenewal: Sendable, Equatable {
  /// The lease continues, and the runner still owns its jobs.
  case kept
  /// The lease had ended, and has begun again. The runner owns no jobs any more: this call, or another process before
  /// it, released them like those of a dead runner. Writes for the earlier claims change nothing (P20).
  case begun
}

extension Liveness {
  package func acquireLease(named name: String) async throws(Failure) -> any RunnerLease { try await acquireLease() }

  package func deadRunnerRecords() async throws(Failure) -> [RunnerRecord] { [] }

  package func failedAttempts() async throws(Failure) -> [String: Int]? { nil }

  package func runnerRecords() async throws(Failure) -> [RunnerRecord] {
    try await livingRunners().map { RunnerRecord(runner: $0) }.sorted { $0.runner.uuidString < $1.runner.uuidString }
  }
}
