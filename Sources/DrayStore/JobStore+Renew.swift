// The same download asked for again, with other words.

public import DrayCore
import GRDB

extension JobStore {
  /// Gives an unfinished job the request and the options that its user has just asked for it with: a new header, another
  /// digest. URL, target and bytes stay, and so does a priority where
  /// none is given now. One that a runner holds is left as it is. Lazy: the job itself is durable.
  /// - Returns: whether it was changed.
  @discardableResult
  public func renew(_ id: JobID, with specification: JobSpecification) throws(Failure) -> Bool {
    try write(.lazy) { db in
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      try db.execute(
        sql: """
          UPDATE jobs SET request = ?, options = ?, priority = iif(? = 0, priority, ?)
          WHERE id = ? AND url = ? AND state IN ('queued', 'interrupted', 'paused')
          """,
        arguments: [
          try requests.encode(specification.request), try options.encode(specification.options),
          specification.priority, specification.priority, id,
          specification.request.url.string,
        ])
      return db.changesCount == 1
    }
  }

  /// Queues a complete job whose target is damaged: what of it is still right is its part file by now. Durable.
  /// - Parameters:
  ///   - specification: what it is asked for now: that it may replace its target, say.
  ///   - checkpoint: what of the part file is right; its size and validators are on record already.
  /// - Returns: whether it was complete still.
  public func queueRepair(
    _ id: JobID, _ specification: JobSpecification, _ checkpoint: Checkpoint
  ) throws(Failure) -> Bool {
    try write(.durable) { db in
      var requests = RequestColumn()
      var options = JSONColumn<JobOptions>()
      try db.execute(
        sql: """
          UPDATE jobs SET state = 'queued', request = ?, options = ?, segments = ?, received = ?, digest_retried = 0,
            retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, start_at = NULL,
            finished_at = NULL, failure = NULL, note = NULL, publishing = NULL
          WHERE id = ? AND state = 'complete'
          """,
        arguments: [
          try requests.encode(specification.request), try options.encode(specification.options),
          checkpoint.segments.description, checkpoint.segments.count, id,
        ])
      guard db.changesCount == 1 else { return false }
      try JobStore.record(db, checkpoint.sums, of: id)
      return true
    }
  }

  /// Queues complete jobs to look whether their file changed on the server. What was published stays on record, but for
  /// the digest: it is not that of another version. Durable.
  public func recheck(_ ids: [JobID]) throws(Failure) {
    try write(.durable) { db in
      for id in ids {
        try db.cachedStatement(
          sql: """
            UPDATE jobs SET state = 'queued', segments = '', received = 0, offered = NULL, digest = NULL, digest_retried = 0,
              retries_used = 0, furthest = 0, not_before = NULL, waiting_since = NULL, finished_at = NULL,
              failure = NULL, note = NULL, publishing = NULL
            WHERE id = ? AND state = 'complete'
            """
        ).execute(arguments: [id])
      }
    }
  }
}
