// One try at a job, for its history.

import DrayCore
import SQLite

/// A try at a job that has ended.
public struct Attempt: Sendable, Equatable {
  /// When it began, in seconds since 1970.
  public var startedAt: Double
  /// When it ended, in seconds since 1970.
  public var endedAt: Double
  /// How it ended, one word: `complete`, `retry`, or the state that followed.
  public var outcome: String
  /// What was said of it.
  public var message: String?
  /// The first position that it asked for.
  public var firstByte: Int64?
  /// One past the last position that it wrote.
  public var lastByte: Int64?

  /// Makes an attempt.
  public init(
    startedAt: Double, endedAt: Double, outcome: String, message: String? = nil, firstByte: Int64? = nil,
    lastByte: Int64? = nil
  ) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
    self.message = message
    self.firstByte = firstByte
    self.lastByte = lastByte
  }

  /// How many of a job are kept: a server that fails for days must not fill the disk (P13).
  static let kept = 100

  /// - Parameter isLast: whether the job has come to its end: then nothing is dropped for it.
  func insert(_ db: Database, job: JobID, isLast: Bool = false) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO attempts (job, started_at, ended_at, outcome, message, first_byte, last_byte)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [job, startedAt, endedAt, outcome, message, firstByte, lastByte])
    if isLast { return }
    try db.cachedStatement(
      sql: """
        DELETE FROM attempts WHERE job = :job AND id <=
          (SELECT id FROM attempts WHERE job = :job ORDER BY id DESC LIMIT 1 OFFSET \(Attempt.kept))
        """
    ).execute(arguments: ["job": job])
  }
}
