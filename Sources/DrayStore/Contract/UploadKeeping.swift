package import DrayCore

/// The contract of a job store for uploads to object stores that have begun and not ended. Marks outlive jobs: an
/// upload without a mark looks like another program's, and stays in its bucket. The rules of ``JobReading`` on
/// atomicity, durability, failures and threads apply here too.
package protocol UploadKeeping: Sendable {
  /// Durable on return.
  func beginUpload(_ mark: UploadMark) async throws(Failure)

  /// Records that an upload was completed or discarded.
  func endUpload(_ mark: UploadMark) async throws(Failure)

  /// Returns the uploads of the job's part with this name, oldest first; `nil` returns the uploads of all jobs.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}
