// `dray verify`: checks targets against their known digests.

public import DrayCore
internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

extension DownloadManager {
  /// Compares a file with its expected digest. Without a digest, compares it with whatever else is known about the
  /// target of `job`: its length, the hashes of its pieces, and the checksums of its blocks (P12).
  /// - Throws: Kind `file` for a file that is missing, cannot be read, or changes during the check; kind `store`.
  public func verify(_ path: String, expected: SourcedDigest?, job: Job) async throws(Failure) -> Verification {
    try await executor.run { () async throws(Failure) in
      try await self.verifyBlocking(path, expected: expected, job: job)
    }
  }

  private func verifyBlocking(_ path: String, expected: SourcedDigest?, job: Job) async throws(Failure) -> Verification
  {
    if path == job.target, !job.specification.place.traits.holdsFiles {
      var found = try verifyObject(path, in: job.specification.place, expected: expected, job: job.id)
      if found.outcome == .unknown { found.outcome = try await compare(path, found.size, job) }
      return found
    }
    // If a link has taken the place of a directory that the user did not name, it leads to another file (P6).
    if path == job.target, job.specification.foreignDepth > 0 { _ = try destinations.existing(job.specification.place) }
    var found =
      if let file = target(path, job) {
        try Verification.verify(file, path, expected: expected, job: job.id)
      } else {
        try Verification.verify(path, expected: expected, job: job.id)
      }
    if found.outcome == .unknown { found.outcome = try await compare(path, found.size, job) }
    return found
  }

  private func compare(_ path: String, _ present: Int64, _ job: Job) async throws(Failure) -> Verification.Outcome {
    guard let size = job.published?.size else { return .unknown }
    guard present == size else { return .wrong }
    let knowledge = RepairRule.knowledge(
      size: size, pieces: job.specification.options.pieces, sums: try await store.sums(of: job.id), digestIsKnown: false
    )
    let directory = DirectoryPlace(PathText.directory(of: path))
    guard let knowledge,
      let file = target(path, job) ?? (try? destinations.find(directory)?.openTarget(PathText.name(of: path)))
    else { return .unknown }
    let (good, known) = (knowledge.good(in: file, size: size), knowledge.known(size: size))
    guard good.count == known.count else { return .wrong }
    return known.isWhole(size) ? .right : .unknown
  }

  /// Opens the job's target; `nil` if `path` is not that target.
  private func target(_ path: String, _ job: Job) -> (any StoredBytes)? {
    guard path == job.target, let destination = try? destinations.find(job.specification.place) else { return nil }
    return try? destination.openTarget(PathText.name(of: path))
  }

  /// Returns the newest complete job with the target `path`, an absolute path or an object; `nil` if there is none. If
  /// several servers have such an object, the environment's server comes first.
  package func completeJob(at path: String) async throws(Failure) -> Job? {
    let (directory, name) = (PathText.directory(of: path), PathText.name(of: path))
    if ObjectPlace.isMeant(by: path), let access = try? ObjectAccess.find(AccessOptions(), environment: environment),
      let job = try await store.completeJob(named: name, in: directory, at: access.signature.server)
    {
      return job
    }
    return try await store.completeJob(named: name, in: directory, at: nil)
  }

  private var environment: [String: String] { ProcessInfo.processInfo.environment }
}
