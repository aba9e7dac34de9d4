package import DrayCore

/// The contract of a job store for the unfinished uploads to object stores. The mark of an upload outlives the job:
/// without the mark, the upload would look like another program's, and stay in its bucket. The rules of ``JobReading``
/// on atomicity, durability, failures and threads also apply here.
package protocol UploadKeeping: Sendable {
  /// Records an upload, durably, before it begins.
  func beginUpload(_ mark: UploadMark) async throws(Failure)

  /// Records that an upload was completed or discarded.
  func endUpload(_ mark: UploadMark) async throws(Failure)

  /// Returns the uploads for the part with this name, oldest first; `nil` returns the uploads of all jobs.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}
