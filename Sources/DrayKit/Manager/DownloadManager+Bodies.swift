// Stores the bodies of requests until they are sent.

public import DrayCore
internal import DrayStore
internal import Posix

extension DownloadManager {
  /// Copies a body to a file in the state directory, and returns once the file is on the disk.
  /// - Throws: Kind `usage` for invalid JSON or an invalid property list; kind `file` if a file cannot be read or
  ///   written.
  public func spool(_ source: RequestBodySource) async throws(Failure) -> SpooledBody {
    try home.createBodies()
    return try await BodySpool.write(source, to: PathText.join(home.bodiesPath, BodySpool.newName()), isDurable: true)
  }

  /// Copies a body to a file in the temporary directory, for a fetch without a job.
  /// - Throws: The failures of ``spool(_:)``.
  package static func spoolTemporarily(_ source: RequestBodySource) async throws(Failure) -> SpooledBody {
    let name = "dray." + BodySpool.newName()
    return try await BodySpool.write(source, to: PathText.join(System.temporaryDirectory, name), isDurable: false)
  }
}
