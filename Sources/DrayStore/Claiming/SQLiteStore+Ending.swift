// Ends an attempt without a file: the job is queued again, or stopped.

import DrayCore
import SQLite

import struct FoundationEssentials.UUID

extension SQLiteStore {
  func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    try await write(.lazy) { db in
      try SQLiteStore.update(db, id, runner, pending: pending, attempt: attempt) { row in
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(SQLiteStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)), submitted_at = NULL,
        failure = \(row.bind(try failure.jsonText()))
        """
      }
    }
  }

  func endAttempt(
    _ id: JobID, runner: UUID, _ stop: JobStop, now: Double, attempt: AttemptRecord?, pending: PendingCommandRule
  ) async throws(Failure) -> Bool {
    let state = stop.state
    precondition(JobState.active.canMove(to: state) && state != .complete, "an attempt does not end as \(state)")
    return try await write(.durable) { db in
      let isDone = try SQLiteStore.update(db, id, runner, pending: pending, attempt: attempt) { row in
        """
        state = \(row.bind(state.rawValue)), runner = NULL, command = NULL, publishing = NULL,
        \(SQLiteStore.wait(stop.notBefore, now, &row)),
        retries_used = \(row.bind(stop.retry.used)), furthest = \(row.bind(stop.retry.furthest)),
        failure = \(row.bind(try stop.failure.jsonText())),
        submitted_at = iif(\(row.bind(stop.mayBeRepeated)), NULL, submitted_at),
        finished_at = \(row.bind(state.isFinished ? now : nil))\(state == .failed ? ", " + SQLiteStore.nothingKept : "")
        """
      }
      guard isDone, state == .failed else { return isDone }
      let repairNote = stop.failure.map { "its repair failed: \($0)" }
      if try !SQLiteStore.takeBackRepair(db, id, note: repairNote, now: now) {
        try Prerequisites.failDependents(db, of: [id], now: now)
      }
      return true
    }
  }

  private static func wait(_ until: Double?, _ now: Double, _ row: inout Arguments) -> String {
    "not_before = \(row.bind(until)), waiting_since = \(row.bind(until == nil ? nil : now))"
  }
}
