// Holds on origins, from any process: what they are, and their end.

internal import DrayEngine

extension DownloadManager {
  /// The holds in force, the one that ends first before the others.
  public func holds() async throws(Failure) -> [OriginHold] { try await store.holds(now: WallClock.now()) }

  /// The hold in force on the origin of a job's URL.
  public func hold(on job: Job) async throws(Failure) -> OriginHold? {
    let origin = job.specification.request.url.origin.description
    return try await holds().first { $0.origin == origin }
  }

  /// Ends the holds that people mean by `text` (``OriginHold/isMeant(by:)``); `nil` is all of them. Their jobs are asked for at once.
  /// - Returns: the holds that were ended.
  public func endHolds(meantBy text: String?) async throws(Failure) -> [OriginHold] {
    let meant = try await holds().filter { hold in text.map { hold.isMeant(by: $0) } ?? true }
    if !meant.isEmpty { try await store.endHolds(of: meant.map(\.origin)) }
    return meant
  }

  /// Has unfinished jobs asked for at once, in spite of a hold: once each.
  /// - Returns: the holds in force that they ask in spite of.
  public func askAtOnce(_ ids: [JobID]) async throws(Failure) -> [HeldJobs] {
    try await store.askAtOnce(ids, now: WallClock.now())
  }
}
