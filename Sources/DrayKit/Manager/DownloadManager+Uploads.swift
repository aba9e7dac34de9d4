// Finds and discards unfinished uploads in object stores.

package import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Threads

extension DownloadManager {
  /// Returns the unfinished uploads below a place in an object store, whichever program began them.
  package func uploads(at place: DirectoryPlace) async throws(Failure) -> [FoundUpload] {
    try await objects?.uploads(at: place) ?? []
  }

  /// Discards an upload, whichever program began it.
  package func abortUpload(_ upload: ListedUpload, at place: DirectoryPlace) async throws(Failure) {
    try await objects?.abort(upload, at: place)
  }

  /// Returns the uploads of this store that no job continues: those of removed or finished jobs, and those that a crash
  /// left without a record.
  package func strayUploads() async throws(Failure) -> [UploadMark] {
    var stray: [UploadMark] = []
    for mark in try await store.uploads(ofPart: nil) {
      var job: Job?
      if let uuid = PartName.uuid(of: mark.part) { job = try await store.job(uuid: uuid) }
      guard let job, !job.state.isFinished else {
        stray.append(mark)
        continue
      }
      // A runner may have begun this upload a moment ago, and may not have recorded any part of it yet.
      guard job.state != .active else { continue }
      let place = job.specification.place
      let isElsewhere = place.traits.keepsPartFiles || place.access != nil && place.server != mark.server
      if isElsewhere || job.checkpoint.upload?.id != mark.id { stray.append(mark) }
    }
    return stray
  }

  /// Returns whether an upload that the job began is still recorded, because its server is gone or refuses to discard
  /// it.
  package func hasUpload(of job: Job) async throws(Failure) -> Bool {
    guard !job.specification.place.traits.keepsPartFiles else { return false }
    return try await !store.uploads(ofPart: job.partFileName).isEmpty
  }

  /// Discards an upload that this store began. The keys are those of its job; if the job is gone or has none, those in
  /// the environment.
  package func abort(_ mark: UploadMark) async throws(Failure) {
    var job: Job?
    if let uuid = PartName.uuid(of: mark.part) { job = try await store.job(uuid: uuid) }
    let access = try mark.access(of: job?.specification.place) { () throws(Failure) in
      try ObjectAccess.find(AccessOptions(), environment: ProcessInfo.processInfo.environment)
    }
    try await objects?.abort(
      ListedUpload(key: mark.key, id: mark.id, initiated: ""), at: DirectoryPlace(mark.place, access: access))
  }
}
