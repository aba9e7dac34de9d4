// Light rows of the store for watchers: by number, and the new ones.

package import DrayCore
import SQLite

extension JobStore {
  /// The rows of these jobs, in this order; numbers without a job are left out.
  package func summaries(ids: [JobID]) throws(Failure) -> [JobSummary] {
    try access { db in
      let select = try db.cachedStatement(sql: "SELECT \(JobSummary.columns) FROM jobs WHERE id = ?")
      return try ids.compactMap { try Row.fetchOne(select, arguments: [$0]).map { try JobSummary($0) } }
    }
  }

  /// The rows of jobs with larger numbers than this, which were added later, ascending.
  package func summaries(after id: JobID) throws(Failure) -> [JobSummary] {
    try access { db in
      let select = try db.cachedStatement(sql: "SELECT \(JobSummary.columns) FROM jobs WHERE id > ? ORDER BY id")
      return try Row.fetchAll(select, arguments: [id]).map { try JobSummary($0) }
    }
  }

  /// The largest number that a job has; 0 if there is none.
  package func newestID() throws(Failure) -> JobID {
    try access { db in try JobID.fetchOne(db, sql: "SELECT max(id) FROM jobs") ?? 0 }
  }

  /// The attempts that have ended since, by job, out of their history; `mark` is the `last` of the call before. What was removed
  /// since is not among them.
  package func endedAttempts(after mark: Int64) throws(Failure) -> (last: Int64, jobs: [JobID: Int]) {
    try access { db in
      // The largest number that was ever used: the attempt that had it may be gone.
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
