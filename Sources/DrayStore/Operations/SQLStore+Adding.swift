// Adds jobs: one call is one durable transaction, all or nothing (P3). Each database has a different way to add many
// jobs; the code for it is in the database's folders.

internal import DrayCore

internal import struct FoundationEssentials.UUID

extension SQLStore {
  func add(
    _ specifications: some Sequence<JobSpecification>, marks: Set<FeedMark>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance
  ) async throws(Failure) -> [AddedJob] {
    // This is safe: the caller waits for the transaction, so only one thread at a time uses the sequence.
    nonisolated(unsafe) let specifications = AnySequence(specifications)
    return try await transaction(.durable) { db in
      try db.lock(.adding)
      try Self.remember(marks, db, now: now)
      let added = try Self.add(db, specifications, now: now, seen: seen, entering: entrance, isApart: false)
      if let place = entrance.place {
        let new = added.filter { !$0.existing }.map(\.id)
        try Self.move(db, new, to: try Self.place(db, place))
      }
      return added
    }
  }

  // MARK: Removed jobs

  func restore(_ jobs: [Job], now: Double) async throws(Failure) -> [AddedJob] {
    try await transaction(.durable) { db in
      try db.lock(.adding)
      var added: [AddedJob] = []
      var ids: [JobID: JobID] = [:]
      for job in jobs {
        var specification = job.specification
        specification.after = []
        let new = try Self.add(
          db, AnySequence([specification]), now: now, seen: nil,
          entering: Entrance(paused: job.state == .paused ? [0] : []),
          // Restore every job that had ended, even if two such jobs fetched the same file.
          isApart: job.state.isFinished)
        for one in new where !one.existing && job.state.isFinished { try Self.end(db, one.id, as: job) }
        added += new
        ids[job.id] = new.first?.id
      }
      for (job, new) in zip(jobs, added) where !new.existing && !job.state.isFinished {
        // Drop prerequisites that have failed or no longer exist.
        let gone: [JobState?] = [nil, .failed]
        let others = try job.specification.after.map { ids[$0] ?? $0 }.filter { id in
          !gone.contains(try Prerequisites.state(db, id))
        }
        try Prerequisites.add(db, new.id, after: others)
      }
      return added
    }
  }

  private static func end(_ db: Session, _ id: JobID, as job: Job) throws {
    let set = Assignments(
      "state = \(job.state.rawValue), attempts = \(job.attempts), finished_at = \(job.finishedAt)",
      jobs: """
        file_name = \(job.fileName), digest = \(job.digest?.description), digest_source = \(job.digestSource?.rawValue),
        note = \(job.note), failure = \(try job.failure.jsonText()), published = \(try job.published.jsonText()),
        final_url = \(job.response?.finalURL.string), response = \(try job.response.jsonText()), added_at = \(job.addedAt)
        """, recording: try Checkpoints.columns(job.checkpoint))
    try db.change(set, where: "hot.id = \(id)")
  }

  // MARK: Jobs from another store

  func restore(_ imported: [ImportedJob], runner: UUID?, now: Double) async throws(Failure) -> [AddedJob] {
    let (added, fences) = try await transaction(.durable, for: runner) { db in
      try db.lock(.adding)
      var (added, owned): ([AddedJob], [JobID]) = ([], [])
      for one in imported {
        let entrance = Entrance(uuids: one.uuid.map { [0: $0] } ?? [:])
        let all = try Self.add(
          db, AnySequence([one.specification]), now: now, seen: nil, entering: entrance, isApart: false)
        added += all
        guard let job = all.first, !job.existing else { continue }
        let owner = one.isHeld ? runner : nil
        if owner != nil { owned.append(job.id) }
        let name = try one.fileName.map { name in
          try db.freeName(
            name, in: one.specification.directory, policy: one.specification.options.onConflict, besides: job.id
          )
        }
        let state: JobState = owner != nil ? .active : one.isPaused ? .paused : .queued
        // Keep the bytes of the job as the other store recorded them.
        let checkpoint = one.isHeld ? nil : one.checkpoint
        let set = Assignments(
          """
          state = \(state.rawValue), runner = \(owner), furthest = \(checkpoint?.segments.end ?? 0),
          command = \(owner != nil && one.isPaused ? JobCommand.pause.rawValue : nil)
          """, jobs: "file_name = coalesce(\(name), file_name)",
          recording: try checkpoint.map { try Checkpoints.columns($0) })
        try db.change(set, where: "hot.id = \(job.id)")
        if let checkpoint { try db.all(Sums.statements(checkpoint.sums, of: job.id)) }
      }
      for (one, job) in zip(imported, added) where !job.existing {
        try Prerequisites.add(db, job.id, after: one.waitsFor.filter(added.indices.contains).map { added[$0].id })
      }
      return (added, try Self.giveFences(db, owned))
    }
    if let runner { own(fences, runner) }
    return added
  }
}
