// Repeated downloads whose target gets another server.

internal import DrayStore
internal import Threads

extension DownloadManager {
  /// Gives the interrupted job of a download the profile that is named for its target now, as `dray set` would: the
  /// present upload ends on the server where it was begun. If the server is given in another way, the target is a
  /// different object, with a different job.
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
