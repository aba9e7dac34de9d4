// What bytes must be that are fetched again, as what was there of them is bad: the same as before, or the file would be of two
// versions (P2).

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

  /// Records that these bytes of a job's part file were bad: what comes in their place must sum to the same. Where something is
  /// expected already, these came in the place of others themselves, and nothing has proved them: the first word stays.
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

  /// Records what a complete job's file must be when it is repaired, and the record of it.
  static func expectRepaired(_ db: Database, _ id: JobID, _ sums: BlockSums) throws {
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO expected_sums (job, sums, is_repair, etag, last_modified, date, offered)
        SELECT id, ?, 1, etag, last_modified, date, offered FROM jobs WHERE id = ? AND state = 'complete'
        """,
      arguments: [sums.encoded(), id])
  }

  /// Makes a job complete again whose repair came to nothing: its file is what it was, and so is what is known of it.
  /// - Parameter note: what is worth knowing of that.
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
