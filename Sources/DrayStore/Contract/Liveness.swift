// The contract of a job store for leases: which runners live, and their progress.

package import DrayCore

public import struct FoundationEssentials.UUID

/// The leases of runners. The rules of ``JobReading`` on failures and threads apply here too.
///
/// A runner lives as long as its lease, which ends with ``RunnerLease/release()`` or with its process, however that
/// ends. A runner taken for dead no longer writes any byte. If a store cannot tell, the runner counts as alive (P9).
package protocol Liveness: Sendable {
  /// Acquires a lease for a new runner.
  /// - Throws: kind `store` if no lease can be acquired.
  func acquireLease() async throws(Failure) -> any RunnerLease

  /// Acquires a lease for a new runner with a name for people. Stores that need no name ignore it.
  /// - Throws: kind `store` if no lease can be acquired.
  func acquireLease(named name: String) async throws(Failure) -> any RunnerLease

  /// Returns records of the live runners, with or without jobs.
  func runnerRecords() async throws(Failure) -> [RunnerRecord]

  /// Returns records of runners that died a short time ago: without an end of their own, and not forgotten yet.
  func deadRunnerRecords() async throws(Failure) -> [RunnerRecord]

  /// Returns how many attempts of each runner failed within the last hour, by its name; `nil` if the store does not know.
  func failedAttempts() async throws(Failure) -> [String: Int]?

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
///
/// A lease either lasts as long as the process (``remaining`` is `nil`), or must be renewed in time by the store's clock.
/// ``LeaseRule`` decides from ``remaining`` when a runner stops its transfers.
package protocol RunnerLease: Sendable {
  /// The UUID of the runner. It stays when the lease begins again (``LeaseRenewal/begun``).
  var runner: UUID { get }

  /// The seconds until the lease ends unless it is renewed, by this machine's monotonic clock; 0 or less if it may be
  /// over; `nil` if it lasts as long as the process. Counted from the moment at which the last successful renewal was
  /// sent, so that the store never ends the lease earlier. Never waits.
  var remaining: Double? { get }

  /// Counts how often the lease has begun again (``LeaseRenewal/begun``). It changes before ``remaining`` grows.
  var term: Int { get }

  /// Renews the lease.
  /// - Throws: kind `store`; with recovery `wait` if the store cannot be reached now.
  func renew() async throws(Failure) -> LeaseRenewal

  /// Shows other processes the progress of the runner's jobs; call it at most a few times a second. Not durable.
  func show(_ board: RunnerBoard) async throws(Failure)

  /// Gives up the lease. After it returns, other runners may take the runner's jobs.
  func release() async
}

extension Liveness {
  /// Runs `body` with the lease of a new runner, which is renewed until then, and releases it afterwards.
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

/// The result of renewing a lease.
package enum LeaseRenewal: Sendable, Equatable {
  /// The lease continues. The runner still holds its jobs.
  case kept
  /// The lease had ended and begins again. The runner holds no jobs: this step, or another process before it, released
  /// them like a dead runner's. Writes for earlier claims change nothing (P20).
  case begun
}

/// The facts about a runner that other processes may know.
public struct RunnerRecord: Sendable, Equatable {
  /// The UUID of the runner.
  public var runner: UUID
  /// The name for people, if it has one.
  public var name: String?
  /// The seconds since its lease was last renewed, by the store's clock; `nil` if leases need no renewal.
  public var leaseAge: Double?
  /// The end of its lease, by the store's clock. Only a renewal makes it later.
  public var leaseEnd: Double?
  /// The seconds until then; not positive once it is over.
  public var leaseRest: Double?
  /// Whether its lease ended without being given back.
  public var isDead: Bool
  /// Whether it has given its lease back. Only the name and the failures of such a runner are known.
  public var hasEnded = false
  /// The number of its attempts that failed within the last hour; `nil` if unknown, or counted with another record of its
  /// name.
  public var failed: Int?
  /// The version of its program, if it has shown one.
  public var version: String?
  /// When it began, in seconds since 1970, if it has shown it.
  public var since: Int64?
  /// The number of its active jobs.
  public var jobs = 0
  /// The rate of these jobs, in bytes per second.
  public var rate: Double = 0

  /// Creates a record.
  public init(runner: UUID, name: String? = nil, leaseAge: Double? = nil, isDead: Bool = false) {
    (self.runner, self.name, self.leaseAge, self.isDead) = (runner, name, leaseAge, isDead)
  }
}

extension Liveness {
  package func acquireLease(named name: String) async throws(Failure) -> any RunnerLease { try await acquireLease() }

  package func deadRunnerRecords() async throws(Failure) -> [RunnerRecord] { [] }

  package func failedAttempts() async throws(Failure) -> [String: Int]? { nil }

  package func runnerRecords() async throws(Failure) -> [RunnerRecord] {
    try await livingRunners().map { RunnerRecord(runner: $0) }.sorted { $0.runner.uuidString < $1.runner.uuidString }
  }
}

extension RunnerLease {
  /// Renews the lease in time until the task is cancelled. Retries while the store is away.
  func keep() async {
    while let remaining, !Task.isCancelled {
      do { try await Task.sleep(for: .seconds(max(0.5, remaining / 3))) } catch { return }
      _ = try? await renew()
    }
  }

  /// Returns whether the lease has lasted since it had this term, so that the runner still holds its jobs.
  package func lasts(since term: Int) -> Bool {
    // Compare the term last: a lease that began again in between has another one.
    (remaining ?? 1) > 0 && self.term == term
  }

  package var remaining: Double? { nil }
  package var term: Int { 0 }
  package func renew() async throws(Failure) -> LeaseRenewal { .kept }
}
