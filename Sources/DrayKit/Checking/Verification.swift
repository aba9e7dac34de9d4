// `dray verify`: compares files on disk with their known digests.

public import DrayCore
internal import DrayEngine

/// The result of checking one file.
public struct Verification: Sendable, Equatable {
  /// The verdict on the file.
  public enum Outcome: Sendable, Equatable {
    /// The file matches the expected digest.
    case right
    /// The file does not match.
    case wrong
    /// No expected digest is known.
    case unknown
  }

  /// The job whose target is the file, if any.
  public var job: JobID?
  /// The absolute path.
  public var path: String
  /// The length in bytes.
  public var size: Int64
  /// The expected digest and its source.
  public var expected: SourcedDigest?
  /// The digest of the file: by the algorithm of the expected digest, or else SHA-256.
  public var digest: DigestValue
  /// The digest that identifies the content: ``digest``, or the SHA-256 if the algorithm of ``digest`` only detects
  /// accidental changes.
  public var identity: DigestValue
  /// The verdict.
  public var outcome: Outcome

  /// Hashes a file, and compares the digest. The call blocks the calling thread.
  /// - Parameters:
  ///   - path: An absolute path.
  ///   - expected: The expected digest; with `nil`, only the SHA-256 is computed.
  ///   - job: The job to which the file belongs, if any.
  /// - Throws: Kind `file` for a file that is missing, cannot be read, or changes during the check.
  package static func verify(_ path: String, expected: SourcedDigest?, job: JobID? = nil) throws(Failure)
    -> Verification
  {
    let (values, size) = try FileDigest.compute(algorithms(expected), ofFileAt: path)
    return try Verification(path, values, size, expected, job)
  }

  /// Verifies a target like ``verify(_:expected:job:)``, if the file is already open at `path`.
  static func verify(
    _ file: any StoredBytes, _ path: String, expected: SourcedDigest?, job: JobID?
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
