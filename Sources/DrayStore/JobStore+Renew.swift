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
}
