// Records what all runners share about hosts and origins: which require https, which offer HTTP/3, how many connections
// help, and when the next request may start.

internal import DrayCore

/// The seconds for which a learned number is valid: one day, because networks change.
private let helpfulMemory = 86_400.0

/// The seconds after which the start of a request is forgotten: longer than any pause.
private let paceMemory = 1_728_000.0

extension SQLStore {
  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry] {
    try await look { db in
      try db.rows("SELECT host, expires_at, includes_subdomains FROM hsts WHERE expires_at > \(now)")
        .map { HSTSEntry(host: try $0[0], expiresAt: try $0[1], includesSubdomains: try $0[2]) }
    }
  }

  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure) {
    try await transaction(.lazy, announces: false) { db in
      try db.run("DELETE FROM hsts WHERE expires_at <= \(now) OR host = \(entry.host)")
      guard entry.expiresAt > now else { return }
      try db.run(
        """
        INSERT INTO hsts (host, expires_at, includes_subdomains)
        VALUES (\(entry.host), \(entry.expiresAt), \(entry.includesSubdomains))
        ON CONFLICT (host) DO UPDATE SET expires_at = excluded.expires_at,
          includes_subdomains = excluded.includes_subdomains
        """)
    }
  }

  func altSvcEntries(now: Double) async throws(Failure) -> [AltSvcEntry] {
    try await look { db in
      try db.rows("SELECT origin, expires_at FROM alt_svc WHERE expires_at > \(now)")
        .map { AltSvcEntry(origin: try $0[0], expiresAt: try $0[1]) }
    }
  }

  func record(altSvc entry: AltSvcEntry, now: Double) async throws(Failure) {
    try await transaction(.lazy, announces: false) { db in
      try db.run("DELETE FROM alt_svc WHERE expires_at <= \(now) OR origin = \(entry.origin)")
      guard entry.expiresAt > now else { return }
      try db.run(
        """
        INSERT INTO alt_svc (origin, expires_at) VALUES (\(entry.origin), \(entry.expiresAt))
        ON CONFLICT (origin) DO UPDATE SET expires_at = excluded.expires_at
        """)
    }
  }

  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int] {
    try await look { db in
      let rows = try db.rows(
        """
        SELECT origin, helpful FROM \(count.rows) learned_at BETWEEN \(now - helpfulMemory) AND \(now)
        """)
      return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  func record(_ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double) async throws(Failure) {
    try await transaction(.lazy, announces: false) { db in
      // A recorded time in the future means that the clock was set back; delete its row, too.
      try db.run("DELETE FROM \(count.rows) learned_at NOT BETWEEN \(now - helpfulMemory) AND \(now)")
      try db.run(
        """
        INSERT INTO \(sqlite: "\(raw: count.rawValue) (", postgres: "helpful (kind, ")origin, helpful, learned_at)
        VALUES (\(postgres: "'\(raw: count.rawValue)', ")\(origin), \(helpful), \(now))
        ON CONFLICT (\(postgres: "kind, ")origin) DO UPDATE SET helpful = excluded.helpful,
          learned_at = excluded.learned_at
        """)
    }
  }

  func reserveStart(at origin: String, pause: Double, now: Double) async throws(Failure) -> Double {
    try await transaction(.lazy, announces: false) { db in
      // Lock the row, so that all runners take turns.
      let select: SQL = "SELECT start, pause, reserved_at FROM paces WHERE origin = \(origin)\(.forUpdate)"
      var row = try db.first(select)
      if row == nil {
        try db.run("DELETE FROM paces WHERE start < \(now - paceMemory)")
        let isNew =
          try db.run(
            "INSERT INTO paces (origin, start, pause, reserved_at) VALUES (\(origin), 0, 0, 0) ON CONFLICT DO NOTHING")
          == 1
        // Another runner has inserted the row since the first read.
        if !isNew { row = try db.first(select) }
      }
      let last = try row.map { PaceRecord(start: try $0[0], pause: try $0[1], reservedAt: try $0[2]) }
      let next = PaceRecord.next(after: last, pause: pause, now: Self.moment(now, after: last?.reservedAt))
      try db.run(
        """
        UPDATE paces SET start = \(next.start), pause = \(next.pause), reserved_at = \(next.reservedAt)
        WHERE origin = \(origin)
        """)
      return next.start
    }
  }
}

extension HelpfulCount {
  /// Selects the rows of this count; a further condition may follow.
  fileprivate var rows: SQL {
    "\(sqlite: "\(raw: rawValue) WHERE", postgres: "helpful WHERE kind = '\(raw: rawValue)' AND")"
  }
}
