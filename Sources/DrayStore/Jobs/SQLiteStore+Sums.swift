// Checksums of blocks of a job's part file, or of its published target.
//
// A large file's checksums take some ten thousand bytes, too many to write each second. So they are in two rows: one
// rarely rewritten with all checksums up to some time, and one with the newer ones.

import DrayCore
import SQLite

extension SQLiteStore {
  func sums(of id: JobID) async throws(Failure) -> BlockSums {
    try await look { db in
      let all = try [UInt8].fetchOne(
        db.cachedStatement(sql: "SELECT sums FROM block_sums WHERE job = ?"), arguments: [id])
      let recent = try [UInt8].fetchOne(
        db.cachedStatement(sql: "SELECT sums FROM recent_sums WHERE job = ?"), arguments: [id])
      return all.flatMap { BlockSums($0, recent: recent) } ?? BlockSums()
    }
  }

  /// Records the checksums of a job. The caller holds it.
  /// - Parameter since: the mark of the last full record; `nil` records all.
  static func record(_ db: Database, _ sums: BlockSums, of id: JobID, since: UInt32? = nil) throws {
    if sums.isEmpty {
      try db.cachedStatement(sql: "DELETE FROM recent_sums WHERE job = ?").execute(arguments: [id])
      try db.cachedStatement(sql: "DELETE FROM block_sums WHERE job = ?").execute(arguments: [id])
    } else if let since {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO recent_sums (job, sums) VALUES (?, ?)")
        .execute(arguments: [id, sums.encoded(since: since)])
    } else {
      try db.cachedStatement(sql: "DELETE FROM recent_sums WHERE job = ?").execute(arguments: [id])
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO block_sums (job, sums) VALUES (?, ?)")
        .execute(arguments: [id, sums.encoded()])
    }
  }
}
