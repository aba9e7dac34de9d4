// The session cookies of a job: they live as long as it does, and are not shared with other jobs.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  /// The session cookies of a job, lines in Netscape's format.
  package func sessionCookies(_ id: JobID) throws(Failure) -> [String] {
    let text = try access { db in
      try String.fetchOne(db, sql: "SELECT lines FROM session_cookies WHERE job = ?", arguments: [id])
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  /// Keeps these in place of those before; none forgets them. Lazy. Does nothing unless `runner` holds the job.
  package func record(sessionCookies lines: [String], of id: JobID, runner: UUID) throws(Failure) {
    try write(.lazy) { db in
      if lines.isEmpty {
        try db.execute(
          sql: "DELETE FROM session_cookies WHERE job = (SELECT id FROM jobs WHERE id = ? AND runner = ?)",
          arguments: [id, runner.uuidString])
      } else {
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO session_cookies (job, lines)
            SELECT id, ? FROM jobs WHERE id = ? AND runner = ?
            """, arguments: [lines.joined(separator: "\n"), id, runner.uuidString])
      }
    }
  }
}
