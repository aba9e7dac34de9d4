// Finds the jobs of a source's files that are requested again. Their URLs may be new ones, so that only the target and the
// path in the source identify them.

internal import DrayEngine
internal import DrayStore

extension DownloadManager {
  /// Handles a file of a source that has a job already.
  /// - Returns: The download to queue; `nil` if its job is complete or continues.
  func ofSource(
    _ specification: JobSpecification, _ index: Int, in destination: (any Destination)?, _ round: inout AdmissionRound
  ) async throws(Failure) -> JobSpecification? {
    guard let specification = try await ofDigest(specification, index, in: destination, &round) else { return nil }
    guard let source = specification.options.source, let name = specification.output, specification.request.isSafe,
      !round.wantsNew(index), !round.arranging.damaged.contains(index)
    else { return specification }
    if round.mayBeOpen, let owner = try await store.targetOwner(name, of: specification, besides: 0),
      let job = try await store.job(owner.job), isOfSource(job, source, round.entrance),
      job.key != specification.key || SourceAgainRule.requested(specification, of: job).startsOver
    {
      _ = try specification.request.completed()
      var added = AddedJob(id: job.id, uuid: job.uuid, existing: true)
      let change = AskedAgainRule.merged(specification, into: job).1
      if job.state != .active, !change.isSilent { added.repetition = change }
      round.early[index] = .job(added)
      round.links[job.id] = specification
      return nil
    }
    guard round.mayBeDone,
      let job = try await store.completeJob(
        named: name, in: specification.directory, at: specification.targetServer),
      isOfSource(job, source, round.entrance), let destination, let published = job.published,
      try await isAsPublished(job, name, in: destination)
    else { return specification }
    switch SourceAgainRule.compare(specification, with: job) {
    case .same:
      let remark = try await judge(name, in: destination, published, of: job, by: specification)
      round.early[index] = .alreadyComplete(
        job.id, path: PathText.join(specification.directory, name), remark: remark)
      round.arranging.complete.append(specification)
      return nil
    case .unknown where job.key == specification.key:
      // Only the server of the file can tell whether it has changed.
      var asking = specification
      if asking.request.cache?.ifChanged == nil {
        asking.request.cache = CachePolicy(
          ifChanged: TargetBaseline(), noCache: asking.request.cache?.noCache ?? false)
      }
      return asking
    case .different, .unknown:
      // The file is the one that dray put there for the same file of the source, so its new version replaces it.
      var again = specification
      again.options.replaces = published
      round.compared[index] = again
      round.seen.insert(job.id)
      return again
    }
  }

  private func isOfSource(_ job: Job, _ source: SourceReference, _ entrance: Entrance) -> Bool {
    entrance.mayTouch(job) && job.specification.options.source?.isSameFile(as: source) ?? false
  }

  /// Gives unfinished jobs the links that their sources give now; a job whose file has another version now starts over.
  /// A job that is being transferred keeps the link that it has.
  func moveLinks(_ moves: [JobID: JobSpecification]) async throws(Failure) {
    guard !moves.isEmpty else { return }
    let begun = try await store.moveLinks(of: moves.keys.sorted()) { job throws(Failure) in
      guard let asked = moves[job.id] else { return nil }
      var (moved, startsOver) = SourceAgainRule.requested(asked, of: job)
      // A repair fetches a few bytes of the version that is published.
      if startsOver, job.specification.options.repairs != nil { return nil }
      moved.request = try moved.request.completed()
      var present = job
      present.specification = moved
      return (AskedAgainRule.merged(asked, into: present).0, startsOver)
    }
    // As after a retry, the next attempt replaces the part file.
    for job in begun { home.journal(of: job).remove() }
  }
}

extension Job {
  fileprivate var key: DownloadKey { specification.key }
}
