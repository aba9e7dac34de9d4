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
    guard let source = specification.options.source, let name = specification.output, specification.request.isSafe,
      !round.wantsNew(index)
    else { return specification }
    if round.mayBeOpen, let owner = try await store.targetOwner(name, of: specification, besides: 0),
      let job = try await store.job(owner.job), isOfSource(job, source, round.entrance),
      job.key != specification.key
    {
      try await giveLink(of: specification, to: job)
      round.early[index] = .job(AddedJob(id: job.id, uuid: job.uuid, existing: true))
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
      round.early[index] = .alreadyComplete(job.id, path: PathText.join(specification.directory, name))
      return nil
    case .unknown where job.key == specification.key: return specification
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

  /// Gives an unfinished job the link that its source gives now. A job that is being transferred keeps the one it has.
  private func giveLink(of asked: JobSpecification, to job: Job) async throws(Failure) {
    guard job.state != .active else { return }
    _ = try await store.setURL(job.id, asked.request.url, keepingCredentials: false) { moved throws(Failure) in
      var request = moved
      let names = Set(asked.request.headers.map { $0.name.lowercased() })
      request.headers = moved.headers.filter { !names.contains($0.name.lowercased()) } + asked.request.headers
      request.netrcSkipsDefault = asked.request.netrcSkipsDefault
      return try request.completed()
    }
  }
}

extension Job {
  fileprivate var key: DownloadKey { specification.key }
}
