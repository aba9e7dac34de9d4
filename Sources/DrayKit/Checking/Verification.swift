// `dray verify`: files that are here, against what is known of them.

internal import DrayEngine
internal import Foundation
internal import Posix

/// What a look at one file came to.
public struct Verification: Sendable, Equatable {
  /// How it stands.
  public enum Outcome: Sendable, Equatable {
    /// It is as it was known.
    case right
    /// It is another one.
    case wrong
    /// Nothing was known.
    case unknown
  }

  /// The job that it is the target of.
  public var job: JobID?
  /// Its path.
  public var path: String
  /// Its length in bytes.
  public var size: Int64
  /// What it is to hash to, and who says so.
  public var expected: SourcedDigest?
  /// What it hashes to, by the algorithm of what is expected, else by SHA-256.
  public var digest: DigestValue
  /// The same, or its SHA-256 where that algorithm is one that finds accidents only.
  public var identity: DigestValue
  /// How it stands.
  public var outcome: Outcome

  /// Hashes a file and compares. Blocks.
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - expected: what it is to hash to; without, its SHA-256 is computed.
  /// - Throws: kind `file` for one that is not there, cannot be read, or changes meanwhile.
  public static func verify(_ path: String, expected: SourcedDigest?, job: JobID? = nil) throws(Failure) -> Verification
  {
    let algorithm = expected?.digest.algorithm ?? .sha256
    let algorithms = algorithm.identifies ? [algorithm] : [algorithm, .sha256]
    let (values, size) = try FileDigest.compute(algorithms, ofFileAt: path)
    guard let digest = values.first, let identity = values.last else { throw Failure(.other, path, "it has no digest") }
    let outcome: Outcome = expected.map { $0.digest == digest ? .right : .wrong } ?? .unknown
    return Verification(
      job: job, path: path, size: size, expected: expected, digest: digest, identity: identity, outcome: outcome)
  }
}

extension DownloadManager {
  /// Compares a file with what it is expected to hash to. Where that is nothing, with what else is known of it as the target of
  /// `job`: its length, the hashes of its pieces, the checksums of its blocks (P12). Blocks.
  /// - Throws: kind `file` for one that is not there, cannot be read, or changes meanwhile; kind `store`.
  public func verify(_ path: String, expected: SourcedDigest?, job: Job) throws(Failure) -> Verification {
    try failing(on: path) { () throws(SystemError) in
      // A link that took the place of a directory which the user did not name leads to somebody else's file (P6).
      if path == job.target, job.specification.foreignDepth > 0 { _ = try TargetDirectory(job.specification.place) }
    }
    var found = try Verification.verify(path, expected: expected, job: job.id)
    if found.outcome == .unknown { found.outcome = try compare(path, found.size, job) }
    return found
  }

  private func compare(_ path: String, _ present: Int64, _ job: Job) throws(Failure) -> Verification.Outcome {
    guard let size = job.published?.size else { return .unknown }
    guard present == size else { return .wrong }
    let knowledge = RepairRule.knowledge(
      size: size, pieces: job.specification.options.pieces, sums: try store.sums(of: job.id), digestIsKnown: false)
    guard let knowledge,
      let directory = try? TargetDirectory(
        path == job.target
          ? job.specification.place : DirectoryPlace((path as NSString).deletingLastPathComponent)),
      let file = try? PartFile.openPublished((path as NSString).lastPathComponent, in: directory)
    else { return .unknown }
    let (good, known) = (knowledge.good(in: file, size: size), knowledge.known(size: size))
    guard good.count == known.count else { return .wrong }
    return known.isWhole(size) ? .right : .unknown
  }

  /// The newest complete job whose target is at `path`, an absolute path; `nil` where there is none.
  public func completeJob(at path: String) throws(Failure) -> Job? {
    let directory = (path as NSString).deletingLastPathComponent
    return try store.completeJob(named: (path as NSString).lastPathComponent, in: directory)
  }
}
