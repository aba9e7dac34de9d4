// Examines a database for `dray doctor`. Nothing in the database changes, because the only write is undone.

#if Postgres

internal import DrayCore
internal import Postgres
internal import Threads

extension PostgresStore {
  /// Examines the database at an address, with or without a store in it. The call blocks the calling thread.
  static func examine(_ address: String, path: String) throws(Failure) -> DatabaseFacts {
    let failures = FleetFailure(path: path)
    do {
      let configuration = PostgresConfiguration(
        address, applicationName: "dray", connectTimeout: connectTimeout, callTimeout: Double(callLimit))
      let connection = try PostgresConnection(configuration)
      defer { connection.close() }
      _ = try prepare(connection)
      let db = FleetSession(connection: connection)
      // Use the fastest of three answers, because a slow one says little about the clock.
      var lead = (width: Double.infinity, seconds: 0.0)
      for _ in 0..<3 {
        let sent = WallClock.machine()
        guard let time: Double = try db.value("SELECT extract(epoch FROM clock_timestamp())::float8") else { continue }
        let width = WallClock.machine() - sent
        if width < lead.width { lead = (width, sent + width / 2 - time) }
      }
      guard let row = try db.first(settings) else { throw failures.damaged("its settings cannot be read") }
      let hasStore: Bool = try row[2]
      var facts = DatabaseFacts(
        server: "\(connection.serverVersion / 10_000).\(connection.serverVersion % 10_000)",
        version: hasStore ? try db.value("SELECT version FROM dray_store") : nil, ownVersion: FleetSchema.version,
        connections: (0, 0), clockLead: lead.seconds)
      (facts.isStandby, facts.isReadOnly) = (try row[0], try row[1])
      if let row = try db.first(room) { facts.connections = (try row[0], try row[1]) }
      let isOwn = facts.version.map { (FleetSchema.oldestUsable...FleetSchema.version).contains($0) } ?? false
      if isOwn, !facts.isStandby, !facts.isReadOnly {
        do { try tryToWrite(connection, db) } catch { facts.refusal = failures.make(error) }
      }
      return facts
    } catch {
      throw failures.make(error)
    }
  }

  private static let settings: SQL = """
    SELECT pg_is_in_recovery(), current_setting('transaction_read_only')::bool, to_regclass('dray_store') IS NOT NULL
    """

  /// The limit on connections that leaves the fewest free: how many connections are in use, and the limit itself.
  /// Connections that are reserved for superusers do not count.
  private static let room: SQL = """
    WITH sessions AS (
      SELECT usesysid, datid FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL),
    limits AS (
      SELECT (SELECT count(*) FROM sessions) AS used,
        current_setting('max_connections')::int8 - current_setting('superuser_reserved_connections')::int8
          - coalesce(current_setting('reserved_connections', true)::int8, 0) AS most
      UNION ALL
      SELECT (SELECT count(*) FROM sessions WHERE usesysid = pg_roles.oid), rolconnlimit
      FROM pg_roles WHERE rolname = current_user AND rolconnlimit >= 0
      UNION ALL
      SELECT (SELECT count(*) FROM sessions WHERE datid = pg_database.oid), datconnlimit
      FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0)
    SELECT used, most FROM limits ORDER BY most - used LIMIT 1
    """

  /// The number of bytes in the trial write: more than fit into a page of the table.
  private static let trialSize = 256 << 10

  /// Writes a row like a job's document, and undoes the write. The write fails on a full disk, unless deleted rows have
  /// left space in the table.
  private static func tryToWrite(_ connection: PostgresConnection, _ db: FleetSession) throws {
    var dice = SystemRandomNumberGenerator()
    let bytes = (0..<trialSize / 8).flatMap { _ in withUnsafeBytes(of: dice.next(), Array.init) }
    try connection.script("BEGIN; SET LOCAL lock_timeout = '5s'")
    defer { if connection.isOpen { _ = try? connection.script("ROLLBACK") } }
    try db.run(
      """
      INSERT INTO documents (url, final_url, fetched_at, content) VALUES (\("doctor:\(dice.next())"), '', 0, \(bytes))
      """)
  }
}

#endif
