#if Postgres

internal import Dispatch
internal import DrayCore
internal import Posix
internal import Postgres
internal import Synchronization
internal import Threads

/// The last statements of a transaction. They are sent together with the commit, so that their locks are not held for
/// another round trip.
struct LastStatements<T>: Sendable {
  /// Returns the statements for the result of the transaction; none if the transaction changed nothing.
  var make: @Sendable (T) -> [SQL]
  /// Adds the rows that the statements returned to the result; not called if the server did not confirm the commit.
  var read: (@Sendable (inout T, [PostgresRows], FleetSession) throws -> Void)?
}

/// A connection to the database. One thread at a time uses the connection, and it is opened again after a loss.
///
/// A call is repeated only if it has not taken effect. This is certain for reads, and for transactions whose commit was
/// not sent. If the server did not confirm a commit, it is asked what became of the transaction (`pg_xact_status`).
final class FleetExecutor: @unchecked Sendable {
  private let configuration: PostgresConfiguration
  private let failures: FleetFailure
  private let prepare: @Sendable (PostgresConnection) throws -> Void
  /// Runs the calls of callers that must not block.
  let thread: BlockingExecutor
  /// Serializes the uses of the connection.
  private let turns = DispatchQueue(label: "dray.database", qos: .userInitiated)
  /// Used by ``turns`` only.
  private var connection: PostgresConnection?
  /// The fences that were learned over the connection. These are dropped with the connection, because another server
  /// may lack the newest commits. Used by ``turns`` only.
  private var fences = KnownFences()
  /// The process ID of the server's backend for this session; `nil` before the first transaction. Used by ``turns``
  /// only.
  private var process: Int32?
  private let isClosed = Atomic<Bool>(false)
  private let opened = Atomic<Int>(0)
  /// Whether the store can do without this connection. A call over a spare connection fails instead of waiting if the
  /// server has no connection left.
  private let isSpare: Bool
  /// The time at which the server last had no connection left; `nil` after it had one again.
  private let refused = Mutex<Double?>(nil)

  /// Whether the server recently had no connection left for this executor. Callers then use another executor.
  var isRefused: Bool { refused.withLock { $0.map { SteadyClock.now() - $0 < FleetExecutor.refusalPause } ?? false } }

  /// The seconds until the connection is tried again.
  private static let refusalPause = 30.0

  /// How often the connection was opened again; the first time does not count.
  var reopenings: Int { opened.load(ordering: .acquiring) }

  /// The seconds between two tries to connect: the first pause and the longest one.
  private static let (firstPause, longestPause) = (0.05, 2.0)
  /// The seconds to wait for the end of a transaction whose connection was lost. This is longer than the server lets
  /// such a session idle (``PostgresStore/idleLimit``).
  private static let longestEnding = Double(PostgresStore.idleLimit) + 3

  init(
    _ configuration: PostgresConfiguration, _ failures: FleetFailure, thread: BlockingExecutor?,
    connection: PostgresConnection? = nil, isSpare: Bool = false,
    prepare: @escaping @Sendable (PostgresConnection) throws -> Void
  ) {
    self.isSpare = isSpare
    (self.configuration, self.failures, self.prepare) = (configuration, failures, prepare)
    self.thread = thread ?? BlockingExecutor("dray.store")
    self.connection = connection
  }

  /// Closes the connection. Later calls throw.
  func close() {
    isClosed.store(true, ordering: .releasing)
    turns.sync {
      connection?.close()
      connection = nil
    }
  }

  /// The longest wait of a call for an answer.
  enum Patience {
    /// The limit that is set for the connection.
    case usual
    /// The time until the deadline of the call. Waits in the other cases may exceed the deadline, as long as the
    /// database answers at all.
    case deadline
    /// This many seconds.
    case seconds(Double)

    fileprivate func seconds(until deadline: Double) -> Double? {
      switch self {
      case .usual: nil
      case .deadline: max(0.1, deadline - SteadyClock.now())
      case .seconds(let seconds): seconds
      }
    }
  }

  /// Runs `body`. Each statement of `body` is a separate transaction, and `body` may be repeated. The call blocks the
  /// calling thread.
  /// - Parameters:
  ///   - deadline: When to give up, by ``SteadyClock``.
  ///   - patience: The longest wait for the answer to a statement.
  @_semantics("optimize.sil.specialize.generic.never")
  func access<T>(
    until deadline: Double, _ patience: Patience = .usual, _ body: (FleetSession) throws -> T
  ) throws(Failure) -> T {
    try turn(until: deadline) { connection in
      try body(session(connection, patience.seconds(until: deadline)))
    }
  }

  private func session(_ connection: PostgresConnection, _ patience: Double?) -> FleetSession {
    FleetSession(connection: connection, fences: fences, patience: patience)
  }

  /// Runs `body` in a transaction. `body` may run several times. The call blocks the calling thread.
  /// - Parameters:
  ///   - deadline: When to give up, by ``SteadyClock``.
  ///   - patience: The longest wait for the answer to a statement.
  ///   - isDurable: Whether the commit waits for the disk.
  ///   - announces: Whether to notify other programs that the store has changed.
  ///   - last: The statements that are sent with the commit.
  @_semantics("optimize.sil.specialize.generic.never")
  func write<T>(
    until deadline: Double, _ patience: Patience = .usual, isDurable: Bool, announces: Bool,
    last: LastStatements<T>? = nil, _ body: (FleetSession) throws -> T
  ) throws(Failure) -> T {
    var undecided: (transaction: Begun, result: T)?
    return try turn(until: deadline) { connection in
      if let (transaction, result) = undecided {
        guard try !isCommitted(transaction, connection, until: deadline) else { return result }
        undecided = nil
      }
      let patience = patience.seconds(until: deadline)
      do {
        let transaction = try begin(connection, isDurable: isDurable, patience)
        let session = session(connection, patience)
        var result = try body(session)
        undecided = (transaction, result)
        let statements = last?.make(result).map(\.statement) ?? []
        let isChanged = last == nil || !statements.isEmpty
        guard
          let rows = try commit(
            transaction, connection, statements, announces: announces && isChanged, until: deadline, patience)
        else {
          undecided = nil
          throw Failure(.store, failures.path, "a transaction was rolled back", recovery: .wait)
        }
        if !rows.isEmpty { try last?.read?(&result, rows, session) }
        return result
      } catch {
        if connection.isOpen {
          undecided = nil
          if connection.isInTransaction { _ = try? connection.script("ROLLBACK", within: patience) }
        }
        throw error
      }
    }
  }

  // MARK: -

  private static let commit = PostgresStatement("COMMIT")
  private static let announcement = PostgresStatement("NOTIFY \(FleetSchema.channel)")
  private static let number = PostgresStatement(
    "SELECT pg_current_xact_id(), extract(epoch FROM clock_timestamp())::float8, (SELECT version FROM dray_store), pg_backend_pid()"
  )

  private struct Begun {
    var number: Int64
    /// The database's time just after the server assigned the number of the transaction.
    var time: Double
  }

  /// Begins a transaction in one round trip. Each statement sees all earlier commits, whatever the default of the
  /// database: with one snapshot for the whole transaction, rows that are read after waiting for a lock would be out of
  /// date.
  /// - Throws: A failure if a newer program has changed the store since the connection was opened (P14).
  private func begin(_ connection: PostgresConnection, isDurable: Bool, _ patience: Double?) throws -> Begun {
    var statements = [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED")]
    if !isDurable { statements.append(PostgresStatement("SET LOCAL synchronous_commit TO OFF")) }
    statements.append(FleetExecutor.number)
    let sent = WallClock.bootClock()
    let answer: PostgresRows?
    do throws(PostgresError) {
      answer = try connection.pipeline(statements, within: patience).last
    } catch {
      try FleetExecutor.refuseStandby(connection)
      throw error
    }
    guard let row = answer?.first else { throw PostgresError.kindless("a transaction has no number") }
    let begun = Begun(number: try row[0], time: try row[1])
    WallClock.follow(begun.time, askedAt: sent)
    if let version: Int = try row[2], version > FleetSchema.version { throw failures.other(version: version) }
    let now: Int32 = try row[3]
    if let process, process != now { throw failures.pooled }
    process = now
    return begun
  }

  /// Throws the error of a database that accepts no writes, if the server is a standby. A standby assigns no numbers to
  /// transactions, and reports only a general error.
  private static func refuseStandby(_ connection: PostgresConnection) throws {
    guard connection.isOpen else { return }
    if connection.isInTransaction { try connection.script("ROLLBACK") }
    let isStandby: Bool? = try connection.row("SELECT pg_is_in_recovery()").map { try $0[0] }
    if isStandby == true { throw PostgresError.standby }
  }

  /// Runs the last statements of a transaction and its commit in one round trip.
  /// - Returns: What the last statements returned, or nothing if that is unknown; `nil` if the transaction had no
  ///   effect.
  private func commit(
    _ transaction: Begun, _ connection: PostgresConnection, _ last: [PostgresStatement], announces: Bool,
    until deadline: Double, _ patience: Double?
  ) throws -> [PostgresRows]? {
    // Announce after the commit: a NOTIFY inside the transactions would make all commits of the fleet wait for each
    // other's disk writes.
    let statements = last + [FleetExecutor.commit] + (announces ? [FleetExecutor.announcement] : [])
    do {
      let rows = try connection.pipeline(statements, within: patience)
      return rows[last.count].tag == "COMMIT" ? Array(rows[..<last.count]) : nil
    } catch {
      guard connection.isOpen, error.statement == last.count + 1 else { throw error }
      // Only the announcement failed. Ignore that, because other programs poll the store anyway.
      return try isCommitted(transaction, connection, until: deadline) ? [] : nil
    }
  }

  /// Returns whether a transaction had an effect although its commit was not confirmed. Waits while the server is still
  /// busy with the transaction.
  private func isCommitted(
    _ transaction: Begun, _ connection: PostgresConnection, until deadline: Double
  ) throws -> Bool {
    let session = FleetSession(connection: connection, patience: Patience.deadline.seconds(until: deadline))
    let end = min(deadline, SteadyClock.now() + FleetExecutor.longestEnding)
    repeat {
      let status = try FleetExecutor.status(of: transaction, session)
      if status == "committed" { return try !FleetExecutor.isLost(transaction, session) }
      guard status == "in progress" else { return false }
      System.pause(0.05)
    } while SteadyClock.now() < end
    // The transaction may still end later; a run that waits for the store will read its jobs again.
    throw Failure(
      .store, failures.path, "a transaction does not end", advice: "see pg_stat_activity, then try again",
      recovery: .wait)
  }

  /// Returns the server's status of a transaction; `nil` if the server does not know the transaction.
  private static func status(of transaction: Begun, _ session: FleetSession) throws -> String? {
    do throws(PostgresError) {
      return try session.value("SELECT pg_xact_status(\("\(transaction.number)")::text::xid8)")
    } catch {
      // After a crash or a failover, the server may not have reached this number.
      guard error.state == inTheFuture else { throw error }
      return nil
    }
  }

  /// The SQLSTATE for a number that no transaction has had yet.
  private static let inTheFuture = "22023"

  /// Returns whether a crash has undone a transaction. Another transaction may have got its number since.
  ///
  /// If no record of a transaction was on disk, the server assigns its number again after the crash. Recovery from a
  /// crash ends with a checkpoint, which records the next number. The transaction was lost if that checkpoint began
  /// after the transaction, and its recorded next number is not higher than the transaction's. The times of checkpoints
  /// are in whole seconds, so the start time of the server is compared as well. A promoted standby makes its checkpoint
  /// later; until then, a number that was assigned twice is not recognized.
  private static func isLost(_ transaction: Begun, _ session: FleetSession) throws -> Bool {
    do throws(PostgresError) {
      return try session.isTrue(
        """
        SELECT \(transaction.number) >= (split_part(next_xid, ':', 1)::int8 << 32 | split_part(next_xid, ':', 2)::int8)
          AND (checkpoint_time > to_timestamp(\(transaction.time))
            OR (pg_postmaster_start_time() > to_timestamp(\(transaction.time))
              AND checkpoint_time >= date_trunc('second', pg_postmaster_start_time())))
        FROM pg_control_checkpoint()
        """)
    } catch {
      guard error.kind == .notAuthorised else { throw error }
      return false
    }
  }

  private struct Tries {
    var pause = FleetExecutor.firstPause
    var conflicts = 0
  }

  /// Calls `body` with the connection, and repeats it after a loss of the connection.
  @_semantics("optimize.sil.specialize.generic.never")
  private func turn<T>(until deadline: Double, _ body: (PostgresConnection) throws -> T) throws(Failure) -> T {
    do { return try turns.sync { try repeated(until: deadline, body) } } catch { throw failures.make(error) }
  }

  @_semantics("optimize.sil.specialize.generic.never")
  private func repeated<T>(until deadline: Double, _ body: (PostgresConnection) throws -> T) throws -> T {
    var tries = Tries()
    while true {
      guard !isClosed.load(ordering: .acquiring) else { throw failures.closed }
      do { return try body(try connected()) } catch { try wait(after: error, &tries, until: deadline) }
    }
  }

  /// Waits before the next try.
  /// - Throws: The error, if another try would not help.
  private func wait(after error: any Error, _ tries: inout Tries, until deadline: Double) throws {
    guard let known = error as? PostgresError else { throw error }
    if isSpare, known.kind == .tooManyConnections {
      refused.withLock { $0 = SteadyClock.now() }
      throw error
    }
    // Connect again, because another server may be the primary by now.
    if known.kind == .readOnly { connection?.close() }
    if connection?.isOpen != true { connection = nil }
    if known.kind == .repeatable, tries.conflicts < 50 {
      // Wait for a random time; otherwise conflicting transactions would be repeated at the same moment.
      tries.conflicts += 1
      System.pause(Double.random(in: 0.0005...0.02))
      return
    }
    guard FleetFailure.passes(known), SteadyClock.now() + tries.pause < deadline else { throw error }
    System.pause(tries.pause * Double.random(in: 0.7...1.0))
    tries.pause = min(tries.pause * 2, FleetExecutor.longestPause)
  }

  private func connected() throws -> PostgresConnection {
    if let connection, connection.isOpen { return connection }
    let new = try PostgresConnection(configuration)
    (fences, process) = (KnownFences(), nil)
    try prepare(new)
    connection = new
    refused.withLock { $0 = nil }
    opened.wrappingAdd(1, ordering: .releasing)
    return new
  }
}

extension PostgresError {
  /// The failure for an answer that no correct server gives.
  static func kindless(_ message: String) -> Failure { Failure(.store, "PostgreSQL", message, recovery: .keep) }
}

#endif
