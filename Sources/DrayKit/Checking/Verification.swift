// `dray verify`: files that are here, against what is known of them.

public import DrayCore
internal import DrayEngine

/// The result of checking one file.
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
  ///   - job: the job that the file belongs to, if any.
  /// - Throws: kind `file` for one that is not there, cannot be read, or changes meanwhile.
  public static func verify(_ path: String, expected: SourcedDigest?, job: JobID? = nil) throws(Failure) -> Verification
  {
    let (values, size) = try FileDigest.compute(algorithms(expected), ofFileAt: path)
    return try Verification(path, values, size, expected, job)
  }

  /// The same for a target that is open already; `path` is its path.
  static func verify(
    _ file: any StoredBytes, _ path: String, expected: SourcedDigest?, job: JobID
  ) throws(Failure) -> Verification {
    let identity = try file.identity()
    let values = try FileHashing.digests(algorithms(expected), file, identity.size) { false }
    guard try file.identity() == identity else { throw FileDigest.changed(path) }
    return try Verification(path, values ?? [], identity.size, expected, job)
  }

  private static func algorithms(_ expected: SourcedDigest?) -> [DigestAlgorithm] {
    let algorithm = expected?.digest.algorithm ?? .sha256
    return algorithm.identifies ? [algorithm] : [algorithm, .sha256]
  }
}

extension Verification {
  private init(
    _ path: String, _ values: [DigestValue], _ size: Int64, _ expected: SourcedDigest?, _ job: JobID?
  ) throws(Failure) {
    guard let digest = values.first, let identity = values.last else { throw Failure(.other, path, "it has no digest") }
    let outcome: Outcome = expected.map { $0.digest == digest ? .right : .wrong } ?? .unknown
    self.init(
      job: job, path: path, size: size, expected: expected, digest: digest, identity: identity, outcome: outcome)
  }
}
