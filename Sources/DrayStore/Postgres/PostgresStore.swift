#if Postgres

internal import DrayCore
internal import Postgres
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

/// A job store in one schema of a PostgreSQL database (``JobStoring``), which runners on any number of machines share.
///
/// No lock covers the whole store. An owner's write names the job, the runner and the fence of the claim. The write
/// changes nothing if a later claim exists. Calls that add jobs take turns, and so do calls that reorder the queue.
final class PostgresStore: Sendable {
  /// The address of the database, without secrets.
  let path: String
  /// A UUID that was created with the schema, and is the same text on all machines.
  let label: String
  /// The connection that changes the store. Only this connection has the temporary tables of scopes.
  let writer: FleetExecutor
  /// A second connection for read-only calls; `nil` if read-only calls use ``writer``.
  private let reader: FleetExecutor?
  let news: FleetNews
  let failures: FleetFailure
  /// The seconds that a call waits for a database that cannot be reached.
  private let busyTimeout: Double
  let held = OwnedJobs()
  /// The completions that a crash of the server may undo.
  let lazyEnds = LazyEnds()
  /// The sets of jobs that ``ClaimScope/only(_:)`` names.
  let scopes: FleetScopes
  let windows = KnownWindows()
  let marks = AttemptMarks()
  let history = FleetHistory()
  /// Where claims begin their walks along the queue.
  let pace = Mutex(ClaimPace())
  /// Whether the last claim got all its jobs at the head of the queue. If it did, the next claim tries the head again
  /// before it counts owned jobs.
  let headSuffices = Atomic<Bool>(true)

  init(
    path: String, label: String, writer: FleetExecutor, reader: FleetExecutor?, news: FleetNews, scopes: FleetScopes,
    busyTimeout: Double
  ) {
    (self.path, self.label, self.writer, self.reader, self.news) = (path, label, writer, reader, news)
    (self.scopes, self.busyTimeout) = (scopes, busyTimeout)
    failures = FleetFailure(path: path)
  }

  deinit {
    news.close()
    reader?.close()
    writer.close()
  }

  /// The connection for read-only calls.
  var executor: FleetExecutor { reader ?? writer }

  /// Runs `body` in a transaction. `body` may run several times, so it must change nothing but the database.
  /// - Parameters:
  ///   - runner: The runner for which the call is made. The call gives up when that runner's lease ends.
  ///   - seconds: The longest wait for an answer; `nil` for the usual wait.
  ///   - announces: Whether to notify other programs. This is not needed for records that only the owner of a job
  ///     reads.
  ///   - last: The statements that are sent with the commit.
  // Not specialized, like the functions below: a copy for each type of result would save far less time than a call
  // waits for the server.
  @discardableResult
  @_semantics("optimize.sil.specialize.generic.never")
  func write<T: Sendable>(
    _ durability: Durability, for runner: UUID? = nil, within seconds: Double? = nil, announces: Bool = true,
    last: LastStatements<T>? = nil,
    _ body: @escaping @Sendable (FleetSession) throws -> T
  ) async throws(Failure) -> T {
    try await writer.thread.call { [self] () throws(Failure) in
      let (deadline, patience) = try time(runner, within: seconds)
      return try writer.write(
        until: deadline, patience, isDurable: durability != .lazy, announces: announces, last: last, body)
    }
  }

  /// Runs `body` on the writer's connection. Each statement of `body` is a separate transaction.
  @discardableResult
  @_semantics("optimize.sil.specialize.generic.never")
  func access<T: Sendable>(
    for runner: UUID? = nil, _ body: @escaping @Sendable (FleetSession) throws -> T
  ) async throws(Failure) -> T {
    try await writer.thread.call { [self] () throws(Failure) in
      let (deadline, patience) = try time(runner)
      return try writer.access(until: deadline, patience, body)
    }
  }

  /// Runs the read-only `body` without waiting for a writer.
  @_semantics("optimize.sil.specialize.generic.never")
  func look<T: Sendable>(_ body: @escaping @Sendable (FleetSession) throws -> T) async throws(Failure) -> T {
    guard let reader, !reader.isRefused else { return try await access(body) }
    do throws(Failure) {
      return try await reader.thread.call { [self] () throws(Failure) in
        try reader.access(until: try deadline(nil), .usual, body)
      }
    } catch {
      guard reader.isRefused else { throw error }
      return try await access(body)
    }
  }

  /// Returns the time at which a call on the writer's connection gives up, and how long the call waits for an answer. A
  /// call must not take too long, because renewals of leases wait for it.
  /// - Parameter seconds: The longest wait for an answer; `nil` for the usual wait.
  /// - Throws: A failure if the lease of the runner is over.
  private func time(
    _ runner: UUID?, within seconds: Double? = nil
  ) throws(Failure) -> (deadline: Double, patience: FleetExecutor.Patience) {
    // Count from now, so that waiting for an earlier call does not shorten the time.
    if let seconds { return (SteadyClock.now() + seconds, .seconds(seconds)) }
    let deadline = try deadline(runner)
    if runner != nil { return (deadline, .deadline) }
    return (deadline, patience.map { .seconds($0) } ?? .usual)
  }

  /// The seconds that a call without a runner may take; `nil` if this process has no lease.
  private var patience: Double? { held.leaseRest.map { LeaseRule.patience(ofCallWith: $0) } }

  /// Returns the time at which a call gives up on a database that cannot be reached.
  /// - Throws: A failure if the lease of the runner is over.
  private func deadline(_ runner: UUID?) throws(Failure) -> Double {
    let now = SteadyClock.now()
    guard let runner, let end = held.leaseEnd(of: runner) else {
      return now + min(busyTimeout, patience ?? busyTimeout)
    }
    let rest = end - FleetClock.now()
    guard rest > 0 else { throw failures.leaseOver }
    return now + min(busyTimeout, rest)
  }

  /// Closes the connections. Later calls throw.
  func close() throws(Failure) {
    news.close()
    reader?.close()
    writer.close()
  }

  func changeMark() async throws(Failure) -> ChangeMark {
    try await executor.thread.call { [self] () throws(Failure) in
      ChangeMark(others: try news.count(until: try deadline(nil)), own: 0)
    }
  }

  func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    let number = news.add(handler)
    return ChangeObservation { [news] in news.remove(number) }
  }

  /// The name and version of the library behind the store, such as `libpq 15.18`; `nil` if the library is not
  /// installed.
  static var software: String? {
    (try? PostgresConnection.libraryVersion()).map { "libpq \($0 / 10_000).\($0 % 10_000)" }
  }
}

#endif
