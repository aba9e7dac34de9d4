// The contract of a job store for uploads to object stores.

package import DrayCore

/// The uploads that were begun and have not ended. Marks outlive jobs: without its mark, an upload looks like another
/// program's and stays in its bucket. The rules of ``JobReading`` on atomicity, durability, failures and threads apply
/// here too.
package protocol UploadKeeping: Sendable {
  /// Records that an upload begins. Durable on return.
  func beginUpload(_ mark: UploadMark) async throws(Failure)

  /// Records that an upload has ended: it is complete or discarded.
  func endUpload(_ mark: UploadMark) async throws(Failure)

  /// Returns the uploads of the job's part with this name, the oldest first; `nil` for those of all jobs.
  func uploads(ofPart name: String?) async throws(Failure) -> [UploadMark]
}
