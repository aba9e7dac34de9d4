// Jobs whose request is not safe to repeat (P10): the record before sending it, and completion without a file.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func beginSubmission(_ id: JobID, runner: UUID, now: Double) async throws(Failure) -> Bool {
    try await update(.durable, id, runner) { "submitted_at = \($0.bind(now))" }
  }

  func finishWithoutFile(
    _ id: JobID, runner: UUID, response: ResponseRecord?, note: String, now: Double, attempt: AttemptRecord?
  ) async throws(Failure) -> Bool {
    try await update(.durable, id, runner, attempt: attempt) { row in
      var columns = """
        state = 'complete', runner = NULL, command = NULL, publishing = NULL, published = NULL, failure = NULL,
        file_name = NULL, size = NULL, \(SQLiteStore.nothingKept), note = \(row.bind(note)),
        finished_at = \(row.bind(now))
        """
      if let response {
        columns +=
          ", response = \(row.bind(try JSONColumn.text(response))), final_url = \(row.bind(response.finalURL.string))"
      }
      return columns
    }
  }

  /// Records a failure in the jobs that meet `condition` and were sent without an answer.
  static func recordUnanswered(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws {
    let unanswered = try SQLiteStore.jobs(
      db, "\(condition) AND submitted_at IS NOT NULL AND publishing IS NULL", arguments)
    for job in unanswered {
      let request = job.specification.request
      let failure = SubmissionRule.unanswered(
        .network, request.method, subject: request.url.description, reason: "the process that sent it ended",
        job: job.id)
      try db.execute(
        sql: "UPDATE jobs SET failure = ? WHERE id = ?", arguments: [try JSONColumn.text(failure), job.id])
    }
  }
}
