// Lists and ends the holds on origins, whichever process recorded them.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension DownloadManager {
  /// Returns the holds that are in force, in the order in which they end.
  public func holds() async throws(Failure) -> [OriginHold] { try await store.holds(now: WallClock.now()) }

  /// Returns the hold in force on the origin of a job's URL.
  package func hold(on job: Job) async throws(Failure) -> OriginHold? {
    let origin = job.specification.request.url.origin.description
    return try await holds().first { $0.origin == origin }
  }

  /// Ends the holds that `text` names (`OriginHold.isMeant(by:)`); with `nil`, all holds. Their jobs start at once.
  /// - Returns: The holds that were ended.
  package func endHolds(meantBy text: String?) async throws(Failure) -> [OriginHold] {
    let meant = try await holds().filter { hold in text.map { hold.isMeant(by: $0) } ?? true }
    if !meant.isEmpty { try await store.endHolds(of: meant.map(\.origin)) }
    return meant
  }

  /// Starts unfinished jobs at once; each may send one request in spite of a hold.
  /// - Returns: The holds in force that these jobs ignore.
  package func askAtOnce(_ ids: [JobID]) async throws(Failure) -> [HeldJobs] {
    try await store.askAtOnce(ids, now: WallClock.now())
  }
}
