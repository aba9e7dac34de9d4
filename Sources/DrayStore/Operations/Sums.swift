// The checksums of blocks of a job's part file or published target. A second kind of checksum is recorded when bad
// bytes must be fetched again: the new bytes must have these checksums; otherwise the file could mix two versions (P2).
//
// The checksums of a large file take tens of thousands of bytes, too many to write each second. Therefore, a job has
// two rows: one with all checksums up to some time, which is rarely rewritten, and one with newer checksums.

internal import DrayCore

enum Sums {
  /// Returns the statements that record the checksums of a job. The caller must own the job.
  /// - Parameter since: The mark of the last full record; `nil` records all checksums.
  static func statements(_ sums: BlockSums, of id: JobID, since: UInt32? = nil) -> [SQL] {
    // The checkpoint must exist, because a trigger of PostgreSQL's schema deletes checksums together with their
    // checkpoint.
    let checkpoint: SQL = "\(postgres: "INSERT INTO checkpoints (job) VALUES (\(id)) ON CONFLICT DO NOTHING")"
    if sums.isEmpty {
      return ["DELETE FROM recent_sums WHERE job = \(id)", "DELETE FROM block_sums WHERE job = \(id)"]
    } else if let since {
      return [checkpoint, upsert("recent_sums", id, sums.encoded(since: since))]
    } else {
      return [checkpoint, "DELETE FROM recent_sums WHERE job = \(id)", upsert("block_sums", id, sums.encoded())]
    }
  }

  private static func upsert(_ table: String, _ id: JobID, _ sums: [UInt8]) -> SQL {
    """
    INSERT INTO \(raw: table) (job, sums) VALUES (\(id), \(sums)) ON CONFLICT (job) DO UPDATE SET sums = excluded.sums
    """
  }

  /// Whether a job, whose number is in a column `id`, repairs a published file.
  static let isRepair: SQL = "EXISTS (SELECT 1 FROM expected_sums WHERE expected_sums.job = id AND is_repair)"

  static func expected(
    _ db: some StoreSession, of id: JobID
  ) throws -> (version: ExpectedVersion, offered: String?)? {
    guard
      let row = try db.first(
        "SELECT sums, is_repair, etag, last_modified, date, offered FROM expected_sums WHERE job = \(id)")
    else { return nil }
    let version = ExpectedVersion(
      sums: BlockSums(try row[0]) ?? BlockSums(),
      repaired: try row[1] ? Validators(etag: try row[2], lastModified: try row[3], date: try row[4]) : nil)
    return (version, try row[5])
  }

  /// Records that bytes of a job's part file were bad, so that the bytes that replace them must have the same
  /// checksums. Checksums that are already required for these bytes stay: the bad bytes were replacements themselves,
  /// and nothing has proved their checksums.
  static func expect(_ db: some StoreSession, _ extents: [BlockSums.Extent], of id: JobID) throws {
    guard !extents.isEmpty else { return }
    var sums = try expected(db, of: id)?.version.sums ?? BlockSums()
    sums.add(extents)
    try db.run(
      """
      INSERT INTO expected_sums (job, sums, is_repair) VALUES (\(id), \(sums.encoded()), \(false))
      ON CONFLICT (job) DO UPDATE SET sums = excluded.sums
      """)
  }

  /// Records the checksums that the file of a complete job must have after its repair, together with its recorded
  /// validators and digests.
  static func expectRepaired(_ db: some StoreSession, _ id: JobID, _ sums: BlockSums) throws {
    try db.run(
      """
      INSERT INTO expected_sums (job, sums, is_repair, etag, last_modified, date, offered)
      SELECT id, \(sums.encoded()), \(true), etag, last_modified, date, offered
      FROM \(.allJobs) WHERE id = \(id) AND state = 'complete'
      ON CONFLICT (job) DO UPDATE SET sums = excluded.sums, is_repair = excluded.is_repair, etag = excluded.etag,
        last_modified = excluded.last_modified, date = excluded.date, offered = excluded.offered
      """)
  }
}

extension SQLStore {
  func sums(of id: JobID) async throws(Failure) -> BlockSums {
    try await look { db in
      let row = try db.first(
        """
        SELECT block_sums.sums, recent_sums.sums
        FROM block_sums LEFT JOIN recent_sums ON recent_sums.job = block_sums.job WHERE block_sums.job = \(id)
        """)
      return try row.flatMap { BlockSums(try $0[0], recent: try $0[1] as [UInt8]?) } ?? BlockSums()
    }
  }

  func expected(of id: JobID) async throws(Failure) -> ExpectedVersion? {
    try await use { db in try Sums.expected(db, of: id)?.version }
  }

  /// Completes a job whose repair failed; the file and its record are unchanged.
  /// - Parameter note: A note for people.
  /// - Returns: Whether the job was being repaired.
  static func takeBackRepair(_ db: Session, _ id: JobID, note: String?, now: Double?) throws -> Bool {
    guard let (expected, offered) = try Sums.expected(db, of: id), let validators = expected.repaired,
      let size = try jobs(db, ids: [id]).first?.published?.size
    else { return false }
    let set = Assignments(
      "state = 'complete', runner = NULL, command = NULL, finished_at = coalesce(\(now), finished_at)",
      jobs: "failure = NULL, note = coalesce(\(note), note)",
      recording: Assignments.Columns(
        "segments, received, size, etag, last_modified, date, offered",
        """
        \(SegmentSet(0..<size).description), \(size), \(size), \(validators.etag), \(validators.lastModified),
        \(validators.date), \(offered)
        """))
    try db.change(set, where: "hot.id = \(id)")
    // A trigger has deleted the records of the repair, including these checksums; write the checksums again.
    try db.all(Sums.statements(expected.sums, of: id))
    return true
  }
}
