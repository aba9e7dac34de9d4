internal import DrayCore
internal import Postgres
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

/// A job store in one schema of a PostgreSQL database (``JobStoring``), which runners on any number of machines share.
///
/// Nothing is locked as a whole. An owner's write names the job, the runner and the fence of the claim, and changes
/// nothing if another claim has followed. Calls that add jobs take turns, and so do calls that reorder the queue.
final class PostgresStore: Sendable {
  /// The address of the database, without secrets.
  let path: String
  /// The same text on all machines: a UUID that was made with the schema.
  let label: String
  /// The connection that changes the store. Only this connection has the temporary tables of scopes.
  let writer: FleetExecutor
  /// A second connection for read-only calls; `nil` if these use the writer.
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
  /// Whether the last claim got all its jobs at the head of the queue. The next claim then does not count owned jobs
  /// before it has its locks.
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
  ///   - runner: The runner for which the call is made; the call ends with that runner's lease.
  ///   - seconds: The longest wait for an answer; `nil` for the usual one.
  ///   - announces: Whether other programs are notified; not needed for records that only the owner of a job reads.
  ///   - last: The statements that are sent with the commit.
  // One copy in the program, like the functions below it: one for each type of result would be faster, but a call waits for
  // the server far longer.
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

  /// Runs `body`, which only reads, and waits for no writer.
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

  /// Returns when a call on the writer's connection gives up, and how long it waits for an answer. It must not take too
  /// long, because renewals of leases wait for the other calls.
  /// - Parameter seconds: The longest wait for an answer; `nil` for the usual one.
  /// - Throws: A failure if the lease of the runner is over.
  private func time(
    _ runner: UUID?, within seconds: Double? = nil
  ) throws(Failure) -> (deadline: Double, patience: FleetExecutor.Patience) {
    // The time starts now, so waiting for an earlier call does not shorten it.
    if let seconds { return (SteadyClock.now() + seconds, .seconds(seconds)) }
    let deadline = try deadline(runner)
    if runner != nil { return (deadline, .deadline) }
    return (deadline, patience.map { .seconds($0) } ?? .usual)
  }

  /// The seconds that a call without a runner may take; `nil` if this process has no lease.
  private var patience: Double? { held.leaseRest.map { LeaseRule.patience(ofCallWith: $0) } }

  /// Returns when a call gives up on a database that cannot be reached.
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

  /// The library behind the store: `libpq 15.18`; `nil` if it is not installed.
  static var software: String? {
    (try? PostgresConnection.libraryVersion()).map { "libpq \($0 / 10_000).\($0 % 10_000)" }
  }
}
