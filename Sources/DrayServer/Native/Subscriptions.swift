// The feeds that the service reads regularly, as recorded in the store.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import FoundationEssentials
internal import Threads

/// The subscriptions, and the task that reads those feeds that are due.
actor Subscriptions {
  /// The number of seconds between two checks for feeds that are due.
  private static let interval = 60.0

  private let manager: DownloadManager
  private var known: [FeedSubscription]?
  /// The number of changes that are being written now.
  private var writing = 0
  private var task: Task<Void, Never>?

  init(_ manager: DownloadManager) { self.manager = manager }

  func all() async throws(Failure) -> [FeedSubscription] {
    if let known { return known }
    let text = try await manager.jobs.setting(.subscriptions)
    // Another call may have read them in the meantime.
    if let known { return known }
    let read = text.flatMap { try? JSONDecoder().decode([FeedSubscription].self, from: Data($0.utf8)) } ?? []
    known = read
    return read
  }

  /// Changes the subscriptions. Once this method returns, the change is on the disk.
  func change(_ body: (inout [FeedSubscription]) -> Void) async throws(Failure) -> [FeedSubscription] {
    var wanted = try await all()
    if let known { wanted = known }
    body(&wanted)
    known = wanted
    writing += 1
    defer { writing -= 1 }
    // Another call may change the subscriptions again before this change is written.
    var written: [FeedSubscription]
    repeat {
      written = known ?? wanted
      let text = (try? JSONEncoder().encode(written)).map { String(decoding: $0, as: UTF8.self) }
      try await manager.jobs.set(.subscriptions, to: text)
    } while known != written
    return written
  }

  /// Reads each feed when it is due, until ``end()`` is called.
  func begin(_ read: @escaping @Sendable (FeedSubscription) async -> Void) {
    task = Task { [weak self] in
      while !Task.isCancelled {
        let now = WallClock.now()
        await self?.forget()
        for subscription in (try? await self?.all()) ?? [] where subscription.isDue(at: now) {
          await read(subscription)
        }
        try? await Task.sleep(for: .seconds(Subscriptions.interval))
      }
    }
  }

  /// Makes the next call read the subscriptions from the store again, because the services of several machines may
  /// share the store.
  private func forget() { if writing == 0 { known = nil } }

  func end() { task?.cancel() }
}
