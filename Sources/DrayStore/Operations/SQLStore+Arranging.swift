// Adds arrangements to jobs, and completes a job only after all of its arrangements have been carried out.

internal import DrayCore

extension SQLStore {
  func arrange(
    _ wanted: [JobID: [SourceArrangement]], for requests: [JobID: [JobSpecification]], mayReplace: Bool
  ) async throws(Failure) -> [JobID: JobState] {
    try await transaction(.durable) { db in
      var states: [JobID: JobState] = [:]
      for (id, arrangements) in wanted.sorted(by: { $0.key < $1.key }) {
        guard let job = try Self.lockedJob(db, id) else { continue }
        states[id] = job.state
        guard job.specification.options.source != nil else { continue }
        let before = job.specification.arrangements
        // The owner of a job without arrangements does not look for any.
        guard job.state != .active || !before.isEmpty else { continue }
        guard let merged = ArrangementRule.merged(arrangements, into: before, mayReplace: mayReplace) else {
          throw ArrangementRule.tooMany("job \(id)")
        }
        var changed = job.specification
        for asked in requests[id] ?? [] where !job.state.isFinished {
          if let mirrors = SourceAgainRule.mirrors(of: changed, joinedBy: asked) { changed.options.mirrors = mirrors }
        }
        guard merged != before || changed.options.mirrors != job.specification.options.mirrors else { continue }
        var options = changed.options
        options.source?.arrangements = merged
        let set = Assignments(jobs: SQL.assigning(options: try JSONColumn.text(options)))
        try db.change(set, where: "hot.id = \(id)")
      }
      return states
    }
  }

  /// Keeps the jobs whose files other names wait for, but removes their groups, and the arrangements that only the
  /// removed names wanted. The caller has locked the jobs.
  /// - Parameter removed: What is removed together with the jobs.
  static func spare(_ db: Session, _ jobs: [Job], removed: ArrangementRule.Removed) throws -> Set<JobID> {
    var spared: Set<JobID> = []
    for job in jobs where !job.state.isFinished {
      let wanted = removed.wantedByOthers(of: job.specification)
      guard !wanted.isEmpty else { continue }
      var options = job.specification.options
      options.source?.arrangements = wanted
      try db.change(
        Assignments(jobs: SQL.assigning(options: try JSONColumn.text(options))), where: "hot.id = \(job.id)")
      try leaveGroup(db, job.id)
      spared.insert(job.id)
    }
    return spared
  }
}

extension StoreSession {
  /// Returns the jobs of a group that may be completed: not those that got other arrangements after their owner had
  /// carried out ``Finished/arranged``. The jobs are locked, so that this stays true until the end of the transaction.
  func arranged(_ batch: [Finished]) throws -> [Finished] {
    let done = batch.filter { $0.arranged != nil }
    guard !done.isEmpty else { return batch }
    let ids = done.map(\.id)
    let lock: SQL = "SELECT id FROM \(.hot) WHERE id \(in: ids) ORDER BY id\(.forUpdate)"
    _ = try rows(lock)
    var wanted: [JobID: [SourceArrangement]] = [:]
    for row in try rows("SELECT id, options\(postgres: "::text") FROM jobs WHERE id \(in: ids)") {
      let options = try JSONColumn<JobOptions>.value(try row[1])
      wanted[try row[0]] = options.source?.arrangements ?? []
    }
    return batch.filter { job in
      guard let arranged = job.arranged, let list = wanted[job.id] else { return true }
      return arranged == list
    }
  }
}
