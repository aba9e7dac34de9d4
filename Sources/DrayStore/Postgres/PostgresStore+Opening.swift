// Opens a store in PostgreSQL. Nothing is changed before dray is sure that the schema is its own and has a version that
// this program knows (P14).

#if Postgres

internal import DrayCore
internal import Postgres
internal import Threads

internal import struct FoundationEssentials.UUID

extension PostgresStore {
  /// The seconds to wait for a host. ``glance(_:path:)`` uses the shorter time, which is enough for a server in the
  /// same network.
  static let (connectTimeout, glanceTimeout) = (10.0, 0.25)
  /// The seconds that a statement may run on the server, and that a call waits for its answer.
  static let (statementLimit, callLimit) = (50, 60)
  /// The seconds after which the server ends a session that is idle within a transaction. Without this limit, a machine
  /// that has lost its network would keep locks for which other programs wait. A store whose session was ended connects
  /// again and repeats the transaction.
  static let idleLimit = 10

  /// Opens the store at an address of libpq. Creates the schema if it is missing, and upgrades an older version. The
  /// call blocks the calling thread.
  /// - Parameters:
  ///   - busyTimeout: The seconds that a call waits for a database that cannot be reached.
  ///   - looksApart: Whether read-only calls use a separate connection.
  ///   - executor: Runs the calls of callers that must not block.
  static func open(
    _ address: String, path: String, busyTimeout: Double, looksApart: Bool, executor: BlockingExecutor?
  ) throws(Failure) -> PostgresStore {
    let opening = FleetOpening(
      address: address, path: path, busyTimeout: busyTimeout, looksApart: looksApart, executor: executor)
    guard let store = try opening.open(.make) else {
      throw FleetFailure(path: path).damaged("its schema does not stay")
    }
    return store
  }

  /// Opens the store at an address if its schema exists. Creates nothing, and does not upgrade a store of an older
  /// version.
  static func openIfPresent(
    _ address: String, path: String, busyTimeout: Double, looksApart: Bool, executor: BlockingExecutor?
  ) throws(Failure) -> PostgresStore? {
    try FleetOpening(address: address, path: path, busyTimeout: busyTimeout, looksApart: looksApart, executor: executor)
      .open(
        .use)
  }

  /// Opens the store at an address for one read. Changes nothing, and never waits for another process.
  /// - Returns: The store; `nil` if it cannot be used at once.
  static func glance(_ address: String, path: String) -> PostgresStore? {
    let opening = FleetOpening(
      address: address, path: path, busyTimeout: glanceTimeout, looksApart: false, executor: nil,
      connectTimeout: glanceTimeout)
    return try? opening.open(.look)
  }

  /// Sets the session's limits and its schema, and makes commits wait for the disk. The limits replace those of the
  /// database's role. With a short lock timeout in the role, for example, a runner would fail although waiting costs
  /// nothing. Compiling statements (JIT) is switched off, because compiling these statements takes longer than running
  /// them.
  /// - Returns: The name of the schema.
  static func prepare(_ connection: PostgresConnection) throws -> String {
    try connection.script(
      """
      SET statement_timeout = '\(statementLimit)s'; SET lock_timeout = 0; SET jit = off; SET idle_in_transaction_session_timeout = '\(idleLimit)s';
      SET tcp_user_timeout = '\(idleLimit)s'; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2;
      SET tcp_keepalives_count = 3;
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
      SET client_min_messages = warning; SET extra_float_digits = 1; SET TimeZone = 'UTC';
      """)
    let sent = WallClock.bootClock()
    let row = try connection.row(
      """
      SELECT current_setting('search_path'), current_schema()::text, current_setting('server_encoding'),
        extract(epoch FROM clock_timestamp())::float8
      """)
    guard let row else { throw PostgresError.kindless("the server does not know its settings") }
    // Follow the database's clock, because the machines of a fleet compare times that others recorded.
    WallClock.follow(try row[3], askedAt: sent)
    let (searchPath, current, encoding): (String, String?, String) = (try row[0], try row[1], try row[2])
    guard encoding == "UTF8" else {
      throw Failure(
        .store, connection.configuration.displayed, "the database has the encoding \(encoding); dray needs UTF8",
        advice: "create a database with ENCODING 'UTF8' TEMPLATE template0", recovery: .keep)
    }
    let schema = schema(searchPath: searchPath, current: current)
    try connection.execute("SELECT set_config('search_path', quote_ident($1), false)", [schema])
    return schema
  }

  /// Returns the schema to use: ``FleetSchema/usualName``, or the first schema of the connection's `search_path`, if
  /// one was given.
  static func schema(searchPath: String, current: String?) -> String {
    let names = searchPath.split(separator: ",").map { name in
      var name = name.drop { $0 == " " }
      while name.last == " " { name.removeLast() }
      return name.hasPrefix("\"") ? String(name.dropFirst().dropLast()) : String(name)
    }
    guard let first = names.first(where: { $0 != "$user" }), !(first == "public" && names.contains("$user")) else {
      return FleetSchema.usualName
    }
    // If "$user" comes first in the search path, the first schema that exists is used.
    return names.first == "$user" ? current ?? first : first
  }
}

/// Opens one store with given settings.
private struct FleetOpening {
  let address: String
  let path: String
  let busyTimeout: Double
  let looksApart: Bool
  let executor: BlockingExecutor?
  var connectTimeout = PostgresStore.connectTimeout

  /// Returns the store; `nil` if it does not exist and the mode does not create it.
  func open(_ mode: FleetMaking.Mode) throws(Failure) -> PostgresStore? {
    let failures = FleetFailure(path: path)
    let configuration = PostgresConfiguration(
      address, applicationName: "dray", connectTimeout: connectTimeout, callTimeout: Double(PostgresStore.callLimit))
    do {
      let connection = try PostgresConnection(configuration)
      let schema = try PostgresStore.prepare(connection)
      guard let label = try FleetMaking(connection, schema, failures).identity(mode) else { return nil }
      let scopes = FleetScopes()
      let again: @Sendable (PostgresConnection) throws -> Void = { connection in
        let schema = try PostgresStore.prepare(connection)
        let identity = try FleetMaking(connection, schema, failures).identity(.use)
        // This address may belong to another database by now.
        guard identity == label else { throw failures.damaged("another store answers at this address") }
      }
      let writer = FleetExecutor(configuration, failures, thread: executor, connection: connection) { connection in
        try again(connection)
        try scopes.make(connection)
      }
      let reader = looksApart ? FleetExecutor(configuration, failures, thread: nil, isSpare: true, prepare: again) : nil
      return PostgresStore(
        path: path, label: "postgresql:\(label.uuidString)", writer: writer, reader: reader,
        news: FleetNews(configuration, failures, besides: writer, prepare: again), scopes: scopes,
        busyTimeout: busyTimeout)
    } catch {
      throw failures.make(error)
    }
  }
}

/// Creates and checks the schema of a store.
struct FleetMaking {
  /// The milliseconds that an upgrade waits for transactions that are using the tables. Meanwhile, the whole fleet
  /// waits for the upgrade. If a transaction takes longer, the upgrade fails, and the next opening tries again.
  private static let patience = 250

  /// The changes that an opening may make.
  enum Mode {
    /// Create a missing store, and upgrade an older version.
    case make
    /// Upgrade a store only if its tables cannot be used without an upgrade.
    case use
    /// Change nothing.
    case look
  }

  private let connection: PostgresConnection
  private let schema: String
  private let failures: FleetFailure

  init(_ connection: PostgresConnection, _ schema: String, _ failures: FleetFailure) {
    (self.connection, self.schema, self.failures) = (connection, schema, failures)
  }

  private var db: FleetSession { FleetSession(connection: connection) }

  /// Returns the identity of the store; `nil` if there is no store.
  func identity(_ mode: Mode) throws -> UUID? {
    if let known = try known() {
      let isUsable = known.version >= FleetSchema.oldestUsable
      if mode == .look { return isUsable ? known.identity : nil }
      if !isUsable || mode == .make && known.version < FleetSchema.version { try upgrade(isNeeded: !isUsable) }
      return try settled()
    }
    guard mode == .make else { return nil }
    guard connection.serverVersion >= FleetSchema.oldestServer else {
      throw failures.unfit(
        "the server is PostgreSQL \(connection.serverVersion / 10_000); dray needs \(FleetSchema.oldestServer / 10_000)",
        "upgrade the server")
    }
    try connection.transaction(tries: 3) {
      try db.lock(.schema)
      // Another program may have created the store since the last check.
      if try known() == nil { try make() }
    }
    return try settled()
  }

  /// Upgrades an older store to the present version, completely or not at all. An upgrade fails if a long transaction
  /// uses the tables, the disk is full, or the user does not own the tables. If the older version is still usable, the
  /// store is then used without the upgrade, and the next opening tries again.
  private func upgrade(isNeeded: Bool) throws {
    do {
      try connection.transaction(tries: 3) {
        try connection.script("SET LOCAL lock_timeout = '\(FleetMaking.patience)ms'")
        try db.lock(.schema)
        // This lock is granted once all transactions that have read the version (``FleetExecutor``) have ended.
        // Afterwards, all transactions agree on the locks to take.
        try connection.script("LOCK TABLE dray_store IN ACCESS EXCLUSIVE MODE")
        // Another program may have upgraded the store since the last check.
        while let version = try known()?.version, let text = FleetSchema.upgrades[version] {
          try connection.script("\(text); UPDATE dray_store SET version = \(version + 1)")
        }
      }
    } catch let error as PostgresError where connection.isOpen && FleetMaking.leavesAsIs(error) {
      if isNeeded { throw failures.notUpgraded(error) }
    }
  }

  /// Returns whether the store can be used without the upgrade after the upgrade failed with this error.
  private static func leavesAsIs(_ error: PostgresError) -> Bool {
    [.notAuthorised, .full, .readOnly, .cancelled].contains(error.kind)
  }

  /// Returns the version and identity of a store of this version, or of a usable older version; `nil` if there is no
  /// store.
  /// - Throws: A failure for a store of any other version, and for tables of another program.
  private func known() throws -> (version: Int, identity: UUID)? {
    let tables = try db.values(
      """
      SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = \(schema) AND relkind IN ('r', 'p', 'S', 'v', 'm', 'f')
        AND relname = ANY(\(FleetSchema.names + ["dray_store"])) ORDER BY 1
      """, as: String.self)
    guard tables.contains("dray_store") else {
      if let table = tables.first { throw failures.foreign(schema, table) }
      return nil
    }
    guard let row = try db.first("SELECT version, identity FROM dray_store") else {
      throw failures.damaged("it has no version")
    }
    let version: Int = try row[0]
    guard (1...FleetSchema.version).contains(version) else {
      throw failures.other(version: version)
    }
    return (version, try row[1])
  }

  // MARK: The place of the database

  /// Returns the identity of the store, after checking that the database is the one in which the store was created.
  ///
  /// A copy of a database, or a restored backup, is a different store from the original, which may still be in use. The
  /// copy gets a new identity, so that neither store touches the part files of the other (P17). After a failover, the
  /// store keeps its identity, but programs at the former primary may not know of the failover yet. In both cases, jobs
  /// that were claimed before may still have an owner at the other place (``OwnedJobs/newFence``).
  private func settled() throws -> UUID? {
    let stored = try db.first("SELECT identity, database, timeline, foreign_fences FROM dray_store")
    guard let stored else { return nil }
    let identity: UUID = try stored[0]
    guard let place = try place(), try (stored[1], stored[2]) != place else { return identity }
    do {
      return try connection.transaction(tries: 3) {
        try db.lock(.schema)
        return try db.value(
          """
          UPDATE dray_store SET
            identity = CASE WHEN database <> \(place.database) THEN \(UUID.random()) ELSE identity END,
            foreign_fences = CASE WHEN (database, timeline) <> (\(place.database), \(place.timeline))
              THEN (SELECT last_value FROM fences) ELSE foreign_fences END,
            database = \(place.database), timeline = \(place.timeline)
          RETURNING identity
          """, as: UUID.self)
      }
    } catch let error as PostgresError where connection.isOpen && FleetMaking.leavesAsIs(error) {
      return identity
    }
  }

  /// Returns the identifier that distinguishes the database from its copies, and the timeline of its server. A value
  /// that the server does not report is `nil`, for example on a standby.
  private func place() throws -> (database: String?, timeline: String?)? {
    do throws(PostgresError) {
      guard try !db.isTrue("SELECT pg_is_in_recovery()") else { return nil }
      let row = try db.first(
        """
        SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database()),
          left(pg_walfile_name(pg_current_wal_lsn()), 8)
        FROM pg_control_system()
        """)
      guard let row else { return nil }
      return (try row[0], try row[1])
    } catch {
      guard connection.isOpen, error.kind != .connectionLost else { throw error }
      return nil
    }
  }

  private func make() throws {
    let name = schema.replacing("\"", with: "\"\"")
    if try !db.isTrue("SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = \(schema))") {
      try connection.script("CREATE SCHEMA \"\(name)\"")
    }
    try connection.script(FleetSchema.text)
    try db.run("INSERT INTO dray_store (version, identity) VALUES (\(FleetSchema.version), \(UUID.random()))")
  }
}

#endif
