// Handles requests that repeat a download whose target has another server now.

internal import DrayStore
internal import Threads

extension DownloadManager {
  /// If the request names a profile for the target, the interrupted job of the download gets that profile, as with
  /// `dray set`. The present upload ends on the server where it began. If the server is given in any other way, the
  /// target is a different object, which has a job of its own.
  func takeTargetProfile(_ specification: JobSpecification) async throws(Failure) {
    func isOwn(_ specification: JobSpecification) -> Bool { specification.options.object?.hasOwnAccess ?? false }
    guard specification.place.traits.needsAccess, isOwn(specification), specification.request.isSafe else { return }
    var elsewhere = specification.key
    elsewhere.target = nil
    guard let job = try await store.find(elsewhere), job.state == .interrupted, job.publishing == nil,
      isOwn(job.specification), try await store.find(specification.key) == nil
    else { return }
    var wanted = job.specification
    wanted.objectOptions.access = specification.options.object?.access
    try await store.change([JobRevision(job, wanted)], runner: nil, now: WallClock.now())
  }
}
