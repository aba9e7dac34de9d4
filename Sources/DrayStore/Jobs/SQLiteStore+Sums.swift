// What is known of the bytes of a job's part file, and of its target once that is published: checksums of blocks.
//
// All of them are some ten thousand bytes for a large file, too many to be written each second. So they are in two rows:
// one has what was known at some time, and is written seldom, the other what came since.

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

  /// Records what is known of a job that its holder holds.
  /// - Parameter since: the mark of what was recorded in full; `nil` records all.
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
