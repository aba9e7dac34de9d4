// `dray verify` for objects: compares the checksum that the server keeps, or reads the object.

public import DrayCore
internal import DrayEngine
internal import Threads

extension DownloadManager {
  /// Compares an object that no job knows with a digest.
  /// - Parameters:
  ///   - path: `s3://BUCKET/KEY`.
  ///   - expected: The digest; `nil` to compute only the SHA-256.
  /// - Throws: Kind `file` for an object that is missing or changes during the check; the failure of the server.
  public func verify(object path: String, expected: SourcedDigest?) async throws(Failure) -> Verification {
    let place = DirectoryPlace(PathText.directory(of: path))
    return try await executor.run { () throws(Failure) in
      try self.verifyObject(path, in: place, expected: expected, job: nil)
    }
  }

  /// Compares an object with a digest. If the server keeps the same kind of digest for the whole object, the object is
  /// not read. If that differs, the object is read nevertheless, because some servers compute checksums in another way.
  func verifyObject(
    _ path: String, in place: DirectoryPlace, expected: SourcedDigest?, job: JobID?
  ) throws(Failure) -> Verification {
    let name = PathText.name(of: path)
    guard let destination = try destinations.find(place), let facts = try destination.facts(of: name) else {
      throw Failure(.file, path, "no such object", advice: job.map { "\(.retry, $0) fetches it again" })
    }
    if let expected, facts.digests.contains(expected.digest) {
      return Verification(
        job: job, path: path, size: facts.size, expected: expected, digest: expected.digest, identity: expected.digest,
        outcome: .right)
    }
    guard let file = try destination.openTarget(name) else { throw Failure(.file, path, "no such object") }
    return try Verification.verify(file, path, expected: expected, job: job)
  }
}
