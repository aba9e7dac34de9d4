// Finds and discards unfinished uploads in object stores.

public import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

extension DownloadManager {
  /// Returns the unfinished uploads below a place in an object store, whoever began them.
  public func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    try await objects?.uploads(at: place) ?? []
  }

  /// Discards an upload, whoever began it.
  public func abortUpload(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) {
    try await objects?.abort(upload, at: place)
  }

  /// Returns the uploads that this store began and that no job continues: those of jobs that are gone or finished, and
  /// those that a crash kept from being recorded.
  public func strayUploads() async throws(Failure) -> [UploadMark] {
    var stray: [UploadMark] = []
    for mark in try await store.uploads(ofPart: nil) {
      var job: Job?
      if let uuid = PartName.uuid(of: mark.part) { job = try await store.job(uuid: uuid) }
      guard let job, !job.state.isFinished else {
        stray.append(mark)
        continue
      }
      // A runner may have begun it a moment ago, and not recorded any part of it yet.
      if job.state != .active, job.checkpoint.upload?.id != mark.id { stray.append(mark) }
    }
    return stray
  }

  /// Discards an upload that this store began. The keys are those of its job, or of the environment.
  public func abort(_ mark: UploadMark) async throws(Failure) {
    var access: ObjectAccess?
    if let signature = mark.signature {
      var stored = ObjectAccess(signature: signature)
      if signature.profile == nil {
        // The keys were the job's own, or those of the environment.
        let found = try ObjectAccess.find(AccessOptions(), environment: ProcessInfo.processInfo.environment)
        (stored.credentials, stored.signature.sessionToken) = (found.credentials, found.signature.sessionToken)
      }
      access = stored
    }
    try await objects?.abort(
      ListedUpload(key: mark.key, id: mark.id, initiated: ""), at: DirectoryPlace(mark.place, access: access))
  }
}
