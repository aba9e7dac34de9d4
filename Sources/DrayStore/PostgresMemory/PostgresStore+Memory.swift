// Data shared by all runs: settings, documents, feeds, hosts, paces, and learned facts about origins.

import DrayCore
import Postgres

import struct FoundationEssentials.UUID

extension PostgresStore {
  // MARK: Settings

  func setting(_ name: StoreSetting) async throws(Failure) -> String? {
    try await look { db in try db.value("SELECT value FROM settings WHERE name = \(name.rawValue)") }
  }

  func set(_ name: StoreSetting, to value: String?) async throws(Failure) {
    try await write(.durable) { db in
      if let value {
        try db.run(
          """
          INSERT INTO settings (name, value) VALUES (\(name.rawValue), \(value))
          ON CONFLICT (name) DO UPDATE SET value = excluded.value
          """)
      } else {
        try db.run("DELETE FROM settings WHERE name = \(name.rawValue)")
      }
    }
  }

  // MARK: Shares

  /// The names of the settings that are marks of shares begin so, before the path.
  private static let sharePrefix = "share "

  func shares() async throws(Failure) -> [String: String] {
    try await look { db in
      let prefix = PostgresStore.sharePrefix
      let rows = try db.rows("SELECT name, value FROM settings WHERE starts_with(name, \(prefix))")
      return Dictionary(
        try rows.map { (String((try $0[0] as String).dropFirst(prefix.count)), try $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  func enter(share path: String, mark: String) async throws(Failure) -> String {
    let name = PostgresStore.sharePrefix + path
    return try await write(.durable, announces: false) { db in
      try db.run("INSERT INTO settings (name, value) VALUES (\(name), \(mark)) ON CONFLICT DO NOTHING")
      return try db.value("SELECT value FROM settings WHERE name = \(name)") ?? mark
    }
  }

  // MARK: Documents and feeds

  func document(_ url: RequestURL) async throws(Failure) -> StoredDocument? {
    try await look { db in
      guard
        let row = try db.first(
          """
          SELECT final_url, etag, last_modified, fetched_at, content FROM documents WHERE key = md5(\(url.string))
          """)
      else { return nil }
      return StoredDocument(
        url: url, finalURL: (try? RequestURL.parse(row[0]).url) ?? url,
        validators: Validators(etag: try row[1], lastModified: try row[2]), fetchedAt: try row[3], content: try row[4])
    }
  }

  func keep(_ document: StoredDocument) async throws(Failure) {
    try await write(.lazy, announces: false) { db in
      try db.run(
        """
        INSERT INTO documents (url, final_url, etag, last_modified, fetched_at, content)
        VALUES (\(document.url.string), \(document.finalURL.string), \(document.validators.etag),
          \(document.validators.lastModified), \(document.fetchedAt), \(document.content))
        ON CONFLICT (key) DO UPDATE SET final_url = excluded.final_url, etag = excluded.etag,
          last_modified = excluded.last_modified, fetched_at = excluded.fetched_at, content = excluded.content
        """)
    }
  }

  func feeds() async throws(Failure) -> [StoredFeed] {
    try await look { db in
      try db.rows("SELECT feed, count(*) FROM feed_entries GROUP BY feed ORDER BY feed").map { row in
        StoredFeed(url: try row[0], entries: try row[1])
      }
    }
  }

  func known(_ guids: [String], in feeds: [String]) async throws(Failure) -> Set<String> {
    guard !guids.isEmpty, !feeds.isEmpty else { return [] }
    return try await look { db in
      Set(
        try db.values(
          """
          SELECT wanted FROM unnest(\(guids)) AS wanted WHERE EXISTS (
            SELECT 1 FROM unnest(\(feeds)) AS source JOIN feed_entries ON key = md5(source || chr(10) || wanted))
          """, as: String.self))
    }
  }

  /// Remembers entries in the transaction that adds their jobs (P3).
  static func remember(_ marks: Set<FeedMark>, _ db: FleetSession, now: Double) throws {
    guard !marks.isEmpty else { return }
    let all = Array(marks)
    try db.run(
      """
      INSERT INTO feed_entries (feed, guid, added_at)
      SELECT feed, guid, \(now) FROM unnest(\(all.map(\.feed)), \(all.map(\.guid))) AS marks (feed, guid)
      ON CONFLICT DO NOTHING
      """)
  }

  // MARK: Hosts

  func hstsEntries(now: Double) async throws(Failure) -> [HSTSEntry] {
    try await look { db in
      try db.rows("SELECT host, expires_at, includes_subdomains FROM hsts WHERE expires_at > \(now)")
        .map { HSTSEntry(host: try $0[0], expiresAt: try $0[1], includesSubdomains: try $0[2]) }
    }
  }

  func record(hsts entry: HSTSEntry, now: Double) async throws(Failure) {
    try await write(.lazy, announces: false) { db in
      try db.run("DELETE FROM hsts WHERE expires_at <= \(now) OR host = \(entry.host)")
      guard entry.expiresAt > now else { return }
      try db.run(
        """
        INSERT INTO hsts VALUES (\(entry.host), \(entry.expiresAt), \(entry.includesSubdomains))
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
    try await write(.lazy, announces: false) { db in
      try db.run("DELETE FROM alt_svc WHERE expires_at <= \(now) OR origin = \(entry.origin)")
      guard entry.expiresAt > now else { return }
      try db.run(
        """
        INSERT INTO alt_svc VALUES (\(entry.origin), \(entry.expiresAt))
        ON CONFLICT (origin) DO UPDATE SET expires_at = excluded.expires_at
        """)
    }
  }

  // MARK: Origins

  /// Seconds that a learned number stays valid: a day, as networks change.
  private static let helpfulMemory = 86_400.0

  func helpful(_ count: HelpfulCount, now: Double) async throws(Failure) -> [String: Int] {
    try await look { db in
      let rows = try db.rows(
        """
        SELECT origin, helpful FROM helpful
        WHERE kind = \(count.rawValue) AND learned_at BETWEEN \(now - PostgresStore.helpfulMemory) AND \(now)
        """)
      return Dictionary(try rows.map { (try $0[0], try $0[1]) }, uniquingKeysWith: { $1 })
    }
  }

  func record(_ helpful: Int, _ count: HelpfulCount, of origin: String, now: Double) async throws(Failure) {
    try await write(.lazy, announces: false) { db in
      // Times in the future come from a clock that was set back.
      try db.run(
        """
        DELETE FROM helpful WHERE kind = \(count.rawValue)
          AND learned_at NOT BETWEEN \(now - PostgresStore.helpfulMemory) AND \(now)
        """)
      try db.run(
        """
        INSERT INTO helpful VALUES (\(count.rawValue), \(origin), \(helpful), \(now))
        ON CONFLICT (kind, origin) DO UPDATE SET helpful = excluded.helpful, learned_at = excluded.learned_at
        """)
    }
  }

  /// Seconds after which a start is forgotten: longer than any pause.
  private static let paceMemory = 1_728_000.0

  func reserveStart(at origin: String, pause: Double, now: Double) async throws(Failure) -> Double {
    try await write(.lazy, announces: false) { db in
      // All runners of the fleet take turns at one row.
      let isNew =
        try db.run(
          "INSERT INTO paces VALUES (\(origin), 0, 0, 0) ON CONFLICT DO NOTHING") == 1
      let row = try db.first("SELECT start, pause, reserved_at FROM paces WHERE origin = \(origin) FOR UPDATE")
      let last =
        isNew ? nil : try row.map { PaceRecord(start: try $0[0], pause: try $0[1], reservedAt: try $0[2]) }
      if isNew {
        try db.run("DELETE FROM paces WHERE start < \(now - PostgresStore.paceMemory) AND origin <> \(origin)")
      }
      let moment = PostgresStore.moment(now, after: last?.reservedAt)
      let next = PaceRecord.next(after: last, pause: pause, now: moment)
      try db.run(
        """
        UPDATE paces SET start = \(next.start), pause = \(next.pause), reserved_at = \(next.reservedAt)
        WHERE origin = \(origin)
        """)
      return next.start
    }
  }

  // MARK: Session cookies

  func sessionCookies(_ id: JobID) async throws(Failure) -> [String] {
    let text = try await look { db in
      try db.value("SELECT lines FROM session_cookies WHERE job = \(id)", as: String.self)
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  func record(sessionCookies lines: [String], of id: JobID, runner: UUID) async throws(Failure) {
    let condition = held.condition(id, runner)
    try await write(.lazy, for: runner, announces: false) { db in
      if lines.isEmpty {
        try db.run("DELETE FROM session_cookies USING hot WHERE job = hot.id AND \(condition)")
      } else {
        try db.run(
          """
          INSERT INTO session_cookies (job, lines)
          SELECT id, \(lines.joined(separator: "\n")) FROM hot WHERE \(condition)
          ON CONFLICT (job) DO UPDATE SET lines = excluded.lines
          """)
      }
    }
  }
}
