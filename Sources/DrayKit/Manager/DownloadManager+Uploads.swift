// Finds and discards unfinished uploads in object stores.

public import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

extension DownloadManager {
  /// Returns the unfinished uploads below a place in an object store, begun by any program.
  public func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    try await objects?.uploads(at: place) ?? []
  }

  /// Discards an upload, begun by any program.
  public func abortUpload(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) {
    try await objects?.abort(upload, at: place)
  }

  /// Returns the uploads of this store that no job continues: uploads of removed or finished jobs, and uploads that a
  /// crash left without a record.
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

  /// Discards an upload that this store began. The keys are those of its job, or of the environment if the job has none
  /// or is gone.
  public func abort(_ mark: UploadMark) async throws(Failure) {
    var job: Job?
    if let uuid = PartName.uuid(of: mark.part) { job = try await store.job(uuid: uuid) }
    let access = try mark.access(of: job?.specification.place) { () throws(Failure) in
      try ObjectAccess.find(AccessOptions(), environment: ProcessInfo.processInfo.environment)
    }
    try await objects?.abort(
      ListedUpload(key: mark.key, id: mark.id, initiated: ""), at: DirectoryPlace(mark.place, access: access))
  }
}

extension UploadMark {
  /// Returns the access with which an upload can be discarded: its server and region with the keys of its job, then with
  /// those of the environment. Keys of a profile are looked up later; `nil` leaves everything to the environment.
  /// - Parameters:
  ///   - place: The place of its job, if the job still exists.
  ///   - environment: Returns the access of the environment.
  package func access(
    of place: DirectoryPlace?, environment: () throws(Failure) -> ObjectAccess
  ) throws(Failure) -> ObjectAccess? {
    guard let signature else { return nil }
    var access = ObjectAccess(signature: signature)
    guard signature.profile == nil else { return access }
    // A changed job may now have keys for another server.
    let isHere =
      place?.object?.bucket == ObjectPlace(self.place)?.bucket
      && place?.access?.signature.endpoint == signature.endpoint
    let keys: ObjectAccess
    if isHere, let own = place?.access, own.credentials != nil || own.signature.profile != nil {
      keys = own
    } else {
      keys = try environment()
    }
    (access.credentials, access.signature.sessionToken) = (keys.credentials, keys.signature.sessionToken)
    (access.signature.profile, access.signature.profileFiles) = (keys.signature.profile, keys.signature.profileFiles)
    return access
  }
}
