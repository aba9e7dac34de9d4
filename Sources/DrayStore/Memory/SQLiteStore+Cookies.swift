// The session cookies of a job. They are deleted with the job, and never shared with other jobs.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func sessionCookies(_ id: JobID) async throws(Failure) -> [String] {
    let text = try await access { db in
      try String.fetchOne(db, sql: "SELECT lines FROM session_cookies WHERE job = ?", arguments: [id])
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  func record(sessionCookies lines: [String], of id: JobID, runner: UUID) async throws(Failure) {
    try await write(.lazy) { db in
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
