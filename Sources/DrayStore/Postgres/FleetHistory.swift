#if Postgres

internal import DrayCore
internal import Postgres
internal import Synchronization
internal import Threads

/// Creates the monthly partitions of `attempts` ahead of time. Only runners write the history, so they create the
/// partitions of this month and the next. Rows without a partition go to `attempts_other`.
final class FleetHistory: Sendable {
  /// The seconds between two checks.
  private static let interval = 21_600.0

  private let checkedAt = Mutex<Double?>(nil)

  /// Returns whether to check now: `true` once in each interval.
  func isDue() -> Bool {
    let now = FleetClock.now()
    return checkedAt.withLock { last in
      if let last, now - last < FleetHistory.interval { return false }
      last = now
      return true
    }
  }

  /// Creates the missing partitions, each in a separate transaction.
  static func makeMonths(_ db: FleetSession) throws(PostgresError) {
    let missing = try db.rows(
      """
      SELECT name, extract(epoch FROM month)::int8::text, extract(epoch FROM month + interval '1 month')::int8::text
      FROM generate_series(date_trunc('month', now()), date_trunc('month', now()) + interval '1 month', '1 month')
        AS month, to_char(month, '"attempts_"YYYYMM') AS name
      WHERE to_regclass(name) IS NULL
      """)
    for row in missing {
      let (name, from, to): (String, String, String) = (try row[0], try row[1], try row[2])
      // Creating a partition fails if `attempts_other` already has rows of the month, or if this user may not create
      // tables. Rows of the month then go to `attempts_other`.
      _ = try? db.connection.script(
        """
        BEGIN; SET LOCAL lock_timeout = '2s';
        SELECT pg_advisory_xact_lock(\(FleetSchema.lockClass), \(FleetSchema.Lock.schema.rawValue));
        CREATE TABLE IF NOT EXISTS \(name) PARTITION OF attempts FOR VALUES FROM (\(from)) TO (\(to)); COMMIT
        """, within: db.patience)
      if db.connection.isOpen, db.connection.isInTransaction {
        try db.connection.script("ROLLBACK", within: db.patience)
      }
    }
  }
}

#endif
