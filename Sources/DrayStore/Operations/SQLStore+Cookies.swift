// Keeps the session cookies of jobs. The cookies of a job are deleted with the job, and never shared with another job.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  func sessionCookies(_ id: JobID) async throws(Failure) -> [String] {
    let text = try await look { db in
      try db.value("SELECT lines FROM session_cookies WHERE job = \(id)", as: String.self)
    }
    return text?.split(separator: "\n").map(String.init) ?? []
  }

  func record(sessionCookies lines: [String], of id: JobID, runner: UUID) async throws(Failure) {
    let claim = claim(of: id, by: runner)
    try await transaction(.lazy, for: runner, announces: false) { db in
      if lines.isEmpty {
        try db.run("DELETE FROM session_cookies WHERE job = (SELECT id FROM \(.hot) WHERE \(claim))")
      } else {
        try db.run(
          """
          INSERT INTO session_cookies (job, lines)
          SELECT id, \(lines.joined(separator: "\n")) FROM \(.hot) WHERE \(claim)
          ON CONFLICT (job) DO UPDATE SET lines = excluded.lines
          """)
      }
    }
  }
}
