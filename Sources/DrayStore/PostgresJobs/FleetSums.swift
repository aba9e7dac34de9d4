// Checksums of blocks of a job's part file or published target, and those that refetched bytes must have.

import DrayCore
import Postgres

enum FleetSums {
  /// Records the checksums of a job. The caller holds it.
  /// - Parameter since: the mark of the last full record; `nil` records all.
  static func statements(_ sums: BlockSums, of id: JobID, since: UInt32? = nil) -> [SQL] {
    // A trigger of the schema deletes the sums with their checkpoint, so there must be one.
    let checkpoint: SQL = "INSERT INTO checkpoints (job) VALUES (\(id)) ON CONFLICT DO NOTHING"
    if sums.isEmpty {
      return ["DELETE FROM recent_sums WHERE job = \(id)", "DELETE FROM block_sums WHERE job = \(id)"]
    } else if let since {
      return [checkpoint, upsert("recent_sums", id, sums.encoded(since: since))]
    } else {
      return [checkpoint, "DELETE FROM recent_sums WHERE job = \(id)", upsert("block_sums", id, sums.encoded())]
    }
  }

  static func record(_ db: FleetSession, _ sums: BlockSums, of id: JobID) throws {
    try db.all(statements(sums, of: id))
  }

  private static func upsert(_ table: String, _ id: JobID, _ sums: [UInt8]) -> SQL {
    """
    INSERT INTO \(raw: table) (job, sums) VALUES (\(id), \(sums)) ON CONFLICT (job) DO UPDATE SET sums = excluded.sums
    """
  }

  /// Whether a job, a row of the named table, is a repair of a published file.
  static func isRepair(_ table: String) -> String {
    "EXISTS (SELECT 1 FROM expected_sums WHERE expected_sums.job = \(table).id AND is_repair)"
  }

  static func expected(_ db: FleetSession, of id: JobID) throws -> (version: ExpectedVersion, offered: String?)? {
    guard
      let row = try db.first(
        "SELECT sums, is_repair, etag, last_modified, date, offered FROM expected_sums WHERE job = \(id)")
    else { return nil }
    let version = ExpectedVersion(
      sums: BlockSums(try row[0]) ?? BlockSums(),
      repaired: try row[1] ? Validators(etag: try row[2], lastModified: try row[3], date: try row[4]) : nil)
    return (version, try row[5])
  }

  /// Records that bytes of a job's part file were bad: their replacements must have the same checksums. Existing
  /// expectations for them stay: those bytes were replacements themselves, and nothing has proved them.
  static func expect(_ db: FleetSession, _ extents: [BlockSums.Extent], of id: JobID) throws {
    guard !extents.isEmpty else { return }
    var sums = try expected(db, of: id)?.version.sums ?? BlockSums()
    sums.add(extents)
    try db.run(
      """
      INSERT INTO expected_sums (job, sums, is_repair) VALUES (\(id), \(sums.encoded()), false)
      ON CONFLICT (job) DO UPDATE SET sums = excluded.sums
      """)
  }

  /// Records the checksums of a complete job's file for its repair, with the validators and digests on record.
  static func expectRepaired(_ db: FleetSession, _ id: JobID, _ sums: BlockSums) throws {
    try db.run(
      """
      INSERT INTO expected_sums (job, sums, is_repair, etag, last_modified, date, offered)
      SELECT hot.id, \(sums.encoded()), true, etag, last_modified, date, offered
      FROM hot LEFT JOIN checkpoints ON checkpoints.job = hot.id WHERE hot.id = \(id) AND state = 'complete'
      ON CONFLICT (job) DO UPDATE SET sums = excluded.sums, is_repair = true, etag = excluded.etag,
        last_modified = excluded.last_modified, date = excluded.date, offered = excluded.offered
      """)
  }

  /// Completes a job whose repair failed. Its file and the record of it are unchanged.
  /// - Parameter note: a note for people.
  /// - Returns: whether the job was being repaired.
  static func takeBackRepair(_ db: FleetSession, _ id: JobID, note: String?, now: Double?) throws -> Bool {
    guard let (expected, offered) = try expected(db, of: id), let validators = expected.repaired,
      let size = try PostgresStore.jobs(db, ids: [id]).first?.published?.size
    else { return false }
    // The schema's triggers delete what belongs to the repair: the checkpoint comes first, and then its sums.
    try db.all([
      """
      INSERT INTO checkpoints (job, segments, received, size, etag, last_modified, date, offered)
      VALUES (\(id), \(SegmentSet(0..<size).description), \(size), \(size), \(validators.etag),
        \(validators.lastModified), \(validators.date), \(offered))
      ON CONFLICT (job) DO UPDATE SET segments = excluded.segments, received = excluded.received, size = excluded.size,
        etag = excluded.etag, last_modified = excluded.last_modified, date = excluded.date, offered = excluded.offered
      """,
      "UPDATE jobs SET failure = NULL, note = coalesce(\(note), note) WHERE id = \(id)",
      """
      UPDATE hot SET state = 'complete', runner = NULL, command = NULL, finished_at = coalesce(\(now), finished_at)
      WHERE id = \(id)
      """,
    ])
    try record(db, expected.sums, of: id)
    return true
  }
}

extension PostgresStore {
  func sums(of id: JobID) async throws(Failure) -> BlockSums {
    try await look { db in
      guard
        let row = try db.first(
          """
          SELECT block_sums.sums, recent_sums.sums
          FROM block_sums LEFT JOIN recent_sums ON recent_sums.job = block_sums.job WHERE block_sums.job = \(id)
          """)
      else { return BlockSums() }
      return BlockSums(try row[0], recent: try row[1] as [UInt8]?) ?? BlockSums()
    }
  }

  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion? {
    try await access { db in try FleetSums.expected(db, of: id)?.version }
  }
}
