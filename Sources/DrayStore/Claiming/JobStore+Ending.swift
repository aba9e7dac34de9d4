// How a job leaves its holder without a file: to be tried again, or stopped.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  package func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: Attempt?, pending: PendingCommandRule = .drop
  ) async throws(Failure) -> Bool {
    try await write(.lazy) { db in
      try JobStore.update(db, id, runner, pending: pending, attempt: attempt) { row in
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(JobStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)), submitted_at = NULL,
        failure = \(row.bind(try failure.jsonText()))
        """
      }
    }
  }

  package func endAttempt(
    _ id: JobID, runner: UUID, state: JobState, failure: Failure?, retry: RetryRecord, note: String? = nil,
    notBefore: Double? = nil, mayBeRepeated: Bool = true, now: Double, attempt: Attempt?,
    pending: PendingCommandRule = .drop
  ) async throws(Failure) -> Bool {
    precondition(JobState.active.canMove(to: state) && state != .complete, "an attempt does not end as \(state)")
    return try await write(.durable) { db in
      let isDone = try JobStore.update(db, id, runner, pending: pending, attempt: attempt) { row in
        """
        state = \(row.bind(state.rawValue)), runner = NULL, command = NULL, publishing = NULL,
        \(JobStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)),
        failure = \(row.bind(try failure.jsonText())), note = ifnull(\(row.bind(note)), note),
        submitted_at = iif(\(row.bind(mayBeRepeated)), NULL, submitted_at),
        finished_at = \(row.bind(state.isFinished ? now : nil))\(state == .failed ? ", " + JobStore.nothingKept : "")
        """
      }
      guard isDone, state == .failed else { return isDone }
      let repairNote = failure.map { "its repair failed: \($0)" }
      if try !JobStore.takeBackRepair(db, id, note: repairNote, now: now) {
        try Prerequisites.failDependents(db, of: [id], now: now)
      }
      return true
    }
  }

  private static func wait(_ until: Double?, _ now: Double, _ row: inout Arguments) -> String {
    "not_before = \(row.bind(until)), waiting_since = \(row.bind(until == nil ? nil : now))"
  }
}
