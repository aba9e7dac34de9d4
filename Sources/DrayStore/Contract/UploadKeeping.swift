package import DrayCore

/// The contract of a job store for uploads to object stores that have begun and not ended. The mark of an upload
/// outlives its job: without the mark, the upload would look like another program's, and stay in its bucket. The rules
/// of ``JobReading`` on atomicity, durability, failures and threads also apply here.
package protocol UploadKeeping: Sendable {
  /// Records an upload, durably, before it begins.
  func beginUpload(_ mark: UploadMark) async throws(Failure)

  /// Records that an upload was completed or discarded.
  func endUpload(_ mark: UploadMark) async throws(Failure)

  /// Returns the uploads of the job's part with this name, oldest first; `nil` returns the uploads of all jobs.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}
