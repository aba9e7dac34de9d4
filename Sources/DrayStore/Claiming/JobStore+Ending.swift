// How a job leaves its holder without a file: to be tried again, or stopped.

package import DrayCore
import SQLite

package import struct FoundationEssentials.UUID

extension JobStore {
  /// Queues a job again after a failure that may pass: not to be tried before `notBefore`, in seconds since 1970;
  /// `nil` is at once. Lazy.
  ///
  /// - Parameter pending: what becomes of a command that came meanwhile.
  /// - Returns: whether `runner` held it, and it was done.
  package func requeue(
    _ id: JobID, runner: UUID, notBefore: Double?, now: Double, retry: RetryRecord, failure: Failure?,
    attempt: Attempt?, pending: PendingCommandRule = .drop
  ) throws(Failure) -> Bool {
    try write(.lazy) { db in
      try JobStore.update(db, id, runner, pending: pending, attempt: attempt) { row in
        """
        state = 'queued', runner = NULL, command = NULL, publishing = NULL, \(JobStore.wait(notBefore, now, &row)),
        retries_used = \(row.bind(retry.used)), furthest = \(row.bind(retry.furthest)), submitted_at = NULL,
        failure = \(row.bind(try failure.jsonText()))
        """
      }
    }
  }

  /// Ends the attempt at a job, which becomes `failed` (what it had is forgotten, as its part file is gone), `interrupted` or `paused`. Durable.
  ///
  /// Whether its request `mayBeRepeated` by itself decides what a later run does with it (P10).
  /// A `notBefore` is a wait that outlasts this run; without a `note` what was noted before stays. With `failed`, the jobs
  /// that wait for this one fail too (``failedDependents(of:)``); a job whose published file was being repaired is complete
  /// as before. `pending` says what becomes of a command that came meanwhile.
  /// - Returns: whether `runner` held it, and it was done.
  package func endAttempt(
    _ id: JobID, runner: UUID, state: JobState, failure: Failure?, retry: RetryRecord, note: String? = nil,
    notBefore: Double? = nil, mayBeRepeated: Bool = true, now: Double, attempt: Attempt?,
    pending: PendingCommandRule = .drop
  ) throws(Failure) -> Bool {
    precondition(JobState.active.canMove(to: state) && state != .complete, "an attempt does not end as \(state)")
    return try write(.durable) { db in
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
