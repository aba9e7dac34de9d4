// Repeated requests for downloads whose target now has another server.

internal import DrayStore
internal import Threads

extension DownloadManager {
  /// If the request names a profile for the target, gives it to the download's interrupted job, as `dray set` would;
  /// the present upload ends on the server where it was begun. A server that is given in another way makes the target a
  /// different object, with a job of its own.
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
