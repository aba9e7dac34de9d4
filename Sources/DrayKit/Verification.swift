// `dray verify`: files that are here, against what is known of them.

internal import DrayEngine
internal import Foundation

/// What a look at one file came to.
public struct Verification: Sendable, Equatable {
  /// How it stands.
  public enum Outcome: Sendable, Equatable {
    /// It is as it was known.
    case right
    /// It is another one; its digest.
    case wrong(DigestValue)
    /// Nothing was known; its digest.
    case unknown(DigestValue)
  }

  /// The job that it is the target of.
  public var job: JobID?
  /// Its path.
  public var path: String
  /// Its length in bytes.
  public var size: Int64
  /// What it is to hash to, and who says so.
  public var expected: SourcedDigest?
  /// How it stands.
  public var outcome: Outcome

  /// Hashes a file and compares. Blocks.
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - expected: what it is to hash to; without, its SHA-256 is computed.
  /// - Throws: kind `file` for one that is not there, cannot be read, or changes meanwhile.
  public static func verify(_ path: String, expected: SourcedDigest?, job: JobID? = nil) throws(Failure) -> Verification
  {
    let (values, size) = try FileDigest.compute([expected?.digest.algorithm ?? .sha256], ofFileAt: path)
    guard let value = values.first else { throw Failure(.other, path, "it has no digest") }
    let outcome: Outcome =
      if let expected { value == expected.digest ? .right : .wrong(value) } else { .unknown(value) }
    return Verification(job: job, path: path, size: size, expected: expected, outcome: outcome)
  }
}

extension DownloadManager {
  /// The newest complete job whose target is at `path`, an absolute path; `nil` where there is none.
  public func completeJob(at path: String) throws(Failure) -> Job? {
    let directory = (path as NSString).deletingLastPathComponent
    return try store.completeJob(named: (path as NSString).lastPathComponent, in: directory)
  }
}
