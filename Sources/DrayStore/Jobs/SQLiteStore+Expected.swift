// Checksums that refetched bytes must have because the bytes before were bad. Otherwise the file could mix two versions
// (P2).

import DrayCore
import SQLite

extension SQLiteStore {
  /// Whether a row of `jobs` is a repair of a published file.
  static let isRepair = "EXISTS (SELECT 1 FROM expected_sums WHERE job = jobs.id AND is_repair)"

  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion? {
    try await access { db in try SQLiteStore.expected(db, of: id)?.version }
  }

  private static func expected(_ db: Database, of id: JobID) throws -> (version: ExpectedVersion, offered: String?)? {
    let select = "SELECT sums, is_repair, etag, last_modified, date, offered FROM expected_sums WHERE job = ?"
    guard let row = try Row.fetchOne(db.cachedStatement(sql: select), arguments: [id]) else { return nil }
    let version = ExpectedVersion(
      sums: BlockSums(try row[0]) ?? BlockSums(),
      repaired: try row[1] ? Validators(etag: try row[2], lastModified: try row[3], date: try row[4]) : nil)
    return (version, try row[5])
  }

  /// Records that bytes of a job's part file were bad: their replacements must have the same checksums. Existing
  /// expectations for them stay: those bytes were replacements themselves, and nothing has proved them.
  static func expect(_ db: Database, _ extents: [BlockSums.Extent], of id: JobID) throws {
    guard !extents.isEmpty else { return }
    var sums = try expected(db, of: id)?.version.sums ?? BlockSums()
    sums.add(extents)
    try db.execute(
      sql: """
        INSERT INTO expected_sums (job, sums, is_repair) VALUES (?, ?, 0)
        ON CONFLICT (job) DO UPDATE SET sums = excluded.sums
        """,
      arguments: [id, sums.encoded()])
  }

  /// Records the checksums of a complete job's file for its repair, with the validators and digests on record.
  static func expectRepaired(_ db: Database, _ id: JobID, _ sums: BlockSums) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO expected_sums (job, sums, is_repair, etag, last_modified, date, offered)
        SELECT id, ?, 1, etag, last_modified, date, offered FROM jobs WHERE id = ? AND state = 'complete'
        """,
      arguments: [sums.encoded(), id])
  }

  /// Completes a job whose repair failed. Its file and the record of it are unchanged.
  /// - Parameter note: a note for people.
  /// - Returns: whether the job was being repaired.
  static func takeBackRepair(_ db: Database, _ id: JobID, note: String?, now: Double?) throws -> Bool {
    guard let (expected, offered) = try expected(db, of: id), let validators = expected.repaired,
      let size = try jobs(db, "id = ?", [id]).first?.published?.size
    else { return false }
    try db.execute(
      sql: """
        UPDATE jobs SET state = 'complete', runner = NULL, command = NULL, failure = NULL, segments = :segments,
          received = :size, size = :size, etag = :etag, last_modified = :lastModified, date = :date, offered = :offered,
          note = ifnull(:note, note), finished_at = ifnull(:now, finished_at)
        WHERE id = :id
        """,
      arguments: [
        "segments": SegmentSet(0..<size).description, "size": size, "etag": validators.etag,
        "lastModified": validators.lastModified, "date": validators.date, "offered": offered, "note": note, "now": now,
        "id": id,
      ])
    try record(db, expected.sums, of: id)
    return true
  }
}
