// `dray verify`: targets against what is known of them.

public import DrayCore
internal import DrayEngine
internal import DrayStore
internal import Posix

extension DownloadManager {
  /// Compares a file with what it is expected to hash to. Where that is nothing, with what else is known of it as the target of
  /// `job`: its length, the hashes of its pieces, the checksums of its of its blocks (P12).
  /// - Throws: kind `file` for one that is not there, cannot be read, or changes meanwhile; kind `store`.
  public func verify(_ path: String, expected: SourcedDigest?, job: Job) async throws(Failure) -> Verification {
    try await desk.run { () async throws(Failure) in try await self.verifyOnDesk(path, expected: expected, job: job) }
  }

  private func verifyOnDesk(_ path: String, expected: SourcedDigest?, job: Job) async throws(Failure) -> Verification {
    try failing(on: path) { () throws(SystemError) in
      // A link that took the place of a directory which the user did not name leads to another file (P6).
      if path == job.target, job.specification.foreignDepth > 0 { _ = try TargetDirectory(job.specification.place) }
    }
    var found = try Verification.verify(path, expected: expected, job: job.id)
    if found.outcome == .unknown { found.outcome = try await compare(path, found.size, job) }
    return found
  }

  private func compare(_ path: String, _ present: Int64, _ job: Job) async throws(Failure) -> Verification.Outcome {
    guard let size = job.published?.size else { return .unknown }
    guard present == size else { return .wrong }
    let knowledge = RepairRule.knowledge(
      size: size, pieces: job.specification.options.pieces, sums: try await store.sums(of: job.id), digestIsKnown: false
    )
    guard let knowledge,
      let directory = try? TargetDirectory(
        path == job.target
          ? job.specification.place : DirectoryPlace(PathParts.directory(of: path))),
      let file = try? PartFile.openPublished(PathParts.name(of: path), in: directory)
    else { return .unknown }
    let (good, known) = (knowledge.good(in: file, size: size), knowledge.known(size: size))
    guard good.count == known.count else { return .wrong }
    return known.isWhole(size) ? .right : .unknown
  }

  /// The newest complete job whose target is at `path`, an absolute path; `nil` if there is none.
  public func completeJob(at path: String) async throws(Failure) -> Job? {
    let directory = PathParts.directory(of: path)
    return try await store.completeJob(named: PathParts.name(of: path), in: directory)
  }
}
