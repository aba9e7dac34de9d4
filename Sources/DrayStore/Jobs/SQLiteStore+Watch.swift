// Finds the attempts that have ended since a watcher's last look.

internal import DrayCore
internal import SQLite

extension SQLiteStore {
  func endedAttempts(after mark: Int64) async throws(Failure) -> (last: Int64, jobs: [JobID: Int]) {
    try await look { db in
      // The largest number that was ever used, even if the attempt with it was removed.
      let last = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'attempts'") ?? 0
      var jobs: [JobID: Int] = [:]
      let rows = try Row.fetchCursor(
        db, sql: "SELECT job, count(*) FROM attempts WHERE id > ? AND id <= ? GROUP BY job",
        arguments: [mark, last])
      while let row = try rows.next() { jobs[try row[0]] = try row[1] }
      return (last, jobs)
    }
  }
}
