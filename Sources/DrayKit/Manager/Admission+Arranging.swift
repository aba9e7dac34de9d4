// Files that images, models or snapshots share: each request for one of them adds a link or an entry, whether the file
// is there, is being fetched, or is requested twice in one call. No request fetches it a second time.

internal import DrayEngine
internal import DrayStore
internal import Posix

/// The links and entries that one call of ``DownloadManager/admit(_:marks:entering:)`` makes or asks for.
struct ArrangementRound {
  /// Arrangements that other requests add to an existing job.
  struct Addition {
    var arrangements: [SourceArrangement]
    var mayReplace: Bool
    /// The requests. Their files are arranged at once if the job has become complete.
    var specifications: [JobSpecification]
  }

  private(set) var additions: [JobID: Addition] = [:]
  /// The requests whose files are complete.
  var complete: [JobSpecification] = []
  /// The requests whose files do not match the digests in their names, by position.
  var damaged: Set<Int> = []
  /// The requests for a file that an earlier request of the same call wants, with the positions of both.
  private(set) var twins: [Int: Int] = [:]
  private var queued: [String: (index: Int, specification: JobSpecification)] = [:]

  /// Adds the arrangements of a request to a job that lacks them.
  /// - Throws: Kind `usage` for one arrangement too many.
  mutating func ask(_ asked: JobSpecification, of job: Job, mayReplace: Bool) throws(Failure) {
    let before = additions[job.id]?.arrangements ?? job.specification.arrangements
    guard !asked.arrangements.isEmpty else { return }
    guard let merged = ArrangementRule.merged(asked.arrangements, into: before, mayReplace: mayReplace) else {
      throw ArrangementRule.tooMany("job \(job.id)")
    }
    // A client's server is not asked for a file of the user.
    let hasMirror = mayReplace && SourceAgainRule.mirrors(of: job.specification, joinedBy: asked) != nil
    guard merged != before || hasMirror else { return }
    var addition = additions[job.id] ?? Addition(arrangements: [], mayReplace: mayReplace, specifications: [])
    addition.arrangements = merged
    addition.specifications.append(asked)
    additions[job.id] = addition
  }

  /// Remembers a request for a file that the call queues.
  mutating func queue(_ index: Int, _ specification: JobSpecification) {
    queued[ArrangementRound.path(specification)] = (index, specification)
  }

  /// Joins a request to the one that queues its file, if there is one.
  /// - Returns: The other request, and its position.
  mutating func join(_ index: Int, _ asked: JobSpecification) -> (index: Int, specification: JobSpecification)? {
    guard let first = queued[ArrangementRound.path(asked)],
      first.specification.options.digest == asked.options.digest
    else { return nil }
    twins[index] = first.index
    return first
  }

  private static func path(_ specification: JobSpecification) -> String {
    specification.targetServer + PathText.join(specification.directory, specification.output ?? "")
  }
}

extension DownloadManager {
  /// Handles a file that is named by its digest, if it is there, if a job fetches it, or if the same call queues it
  /// already.
  /// - Returns: The download to queue; `nil` if none is needed.
  func ofDigest(
    _ specification: JobSpecification, _ index: Int, in destination: (any Destination)?, _ round: inout AdmissionRound
  ) async throws(Failure) -> JobSpecification? {
    guard let name = specification.output, specification.isNamedByDigest, specification.request.isSafe,
      !round.entrance.fetchesAgain
    else { return specification }
    if round.mayBeOpen, let owner = try await store.targetOwner(name, of: specification, besides: 0),
      let job = try await store.job(owner.job)
    {
      guard !isSameFile(specification, job), SourceAgainRule.isShared(specification, with: job) else {
        return specification
      }
      round.early[index] = .job(AddedJob(id: job.id, uuid: job.uuid, existing: true))
      // The job keeps its own request. Only arrangements for its file are added, and a mirror.
      round.untouched.insert(index)
      try round.arranging.ask(specification, of: job, mayReplace: round.entrance.mayTouch(job))
      return nil
    }
    if let first = round.arranging.join(index, specification) {
      var both = round.compared[first.index] ?? first.specification
      guard let merged = ArrangementRule.merged(specification.arrangements, into: both.arrangements) else {
        throw ArrangementRule.tooMany(PathText.join(specification.directory, name))
      }
      both.options.mirrors = SourceAgainRule.mirrors(of: both, joinedBy: specification) ?? both.options.mirrors
      both.options.source?.arrangements = merged
      round.compared[first.index] = both
      return nil
    }
    let job =
      round.mayBeDone
      ? try await store.completeJob(named: name, in: specification.directory, at: specification.targetServer) : nil
    switch try await proof(of: specification, name, job, in: destination) {
    case .missing:
      round.arranging.queue(index, specification)
      return specification
    case .right:
      let path = PathText.join(specification.directory, name)
      if let job, let published = job.published, let destination {
        _ = try await judge(name, in: destination, published, of: job, by: specification, isProved: true)
      }
      let known = job.flatMap { round.entrance.mayTouch($0) ? $0.id : nil }
      round.early[index] = known.map { .alreadyComplete($0, path: path) } ?? .present(path: path)
      round.arranging.complete.append(specification)
      return nil
    case .damaged(let identity):
      // For a client, only what dray put there for a client is replaced (P17, P22).
      guard !round.entrance.isForClient || job.map(round.entrance.mayTouch) ?? false else { return specification }
      var again = specification
      again.options.replaces = identity
      round.compared[index] = again
      if let job { round.seen.insert(job.id) }
      round.arranging.damaged.insert(index)
      round.arranging.queue(index, again)
      return again
    }
  }

  private func isSameFile(_ specification: JobSpecification, _ job: Job) -> Bool {
    guard let asked = specification.options.source, let own = job.specification.options.source else { return false }
    return asked.isSameFile(as: own)
  }

  private enum DigestProof {
    case missing, right
    case damaged(FileIdentity)
  }

  /// Compares the existing file with the digest in its name. The record of a complete job is proof enough as long as
  /// the file is unchanged; any other file is hashed, unless its length is wrong.
  private func proof(
    of specification: JobSpecification, _ name: String, _ job: Job?, in destination: (any Destination)?
  ) async throws(Failure) -> DigestProof {
    guard let destination, destination.traits.holdsFiles, let digest = specification.options.digest,
      let directory = try? TargetDirectory(specification.place)
    else { return .missing }
    guard let identity = directory.identity(of: name) else {
      // The cache of Hugging Face's client may have links to files that repositories share.
      guard directory.occupant(of: name) == .link,
        let found = try? FileDigest.compute([digest.algorithm], ofFileAt: PathText.join(directory.path, name)),
        found.values == [digest]
      else { return .missing }
      return .right
    }
    if let job, let published = job.published, let proved = job.digest,
      specification.options.areProved(by: proved, size: published.size),
      try await isAsPublished(job, name, in: destination)
    {
      ProvedFiles.shared.put(proved, of: name, in: directory)
      return .right
    }
    if let size = specification.options.expectedSize, size != identity.size { return .damaged(identity) }
    return try ProvedFiles.shared.has(digest, name, in: directory) ? .right : .damaged(identity)
  }

  // MARK: Carrying out

  /// Makes the links and entries of complete files again. Each step is idempotent.
  func arrange(_ complete: [JobSpecification]) throws(Failure) {
    guard !complete.isEmpty else { return }
    let arranging = Arranging()
    for specification in complete {
      if let name = specification.output { try arranging.finish(specification, named: name) }
    }
  }

  /// Tells existing jobs what else is to be done with their files.
  /// - Returns: The jobs that another process has removed in the meantime.
  func carryOut(_ arranging: ArrangementRound) async throws(Failure) -> Set<JobID> {
    var gone: Set<JobID> = []
    for mayReplace in [true, false] {
      let additions = arranging.additions.filter { $0.value.mayReplace == mayReplace }
      guard !additions.isEmpty else { continue }
      let states = try await store.arrange(
        additions.mapValues(\.arrangements), for: mayReplace ? additions.mapValues(\.specifications) : [:],
        mayReplace: mayReplace)
      // A job that has become complete in the meantime has no owner that would do it.
      for (id, state) in states.sorted(by: { $0.key < $1.key }) where state == .complete {
        try arrange(additions[id]?.specifications ?? [])
      }
      gone.formUnion(additions.keys.filter { states[$0] == nil })
    }
    return gone
  }
}
