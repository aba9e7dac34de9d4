// Publishes whole files in groups: what finishes while one group is being synced makes up the next (group commit),
// so that many small files share the syncs that a large one has to itself.

internal import DrayEngine
internal import Foundation

/// A whole file on its way to its target.
struct PublishItem: Sendable {
  var job: Job
  var publication: Publication
  var fileName: String
  var digest: DigestValue?
  var response: ResponseRecord?
  var note: String?
  var attempt: Attempt?
}

/// What became of it.
enum PublishResult: Sendable {
  case published(path: String)
  case skipped(path: String)
  case failed(Failure)
  /// It was renamed, and that this is durable could not be made sure: its publish is left to be finished.
  case unfinished(Failure)
}

/// The publisher of one runner. The order of its steps is the promise: verify, sync, record the intent, rename, sync
/// the directory, record the end. A crash between any two is mended by ``Recovery``.
actor Publisher {
  private let queue = BlockingQueue("dray.publish")
  private let store: JobStore
  private let runner: UUID
  private var waiting: [(item: PublishItem, result: CheckedContinuation<PublishResult, Never>)] = []
  private var isRunning = false

  /// Files that are published in one group at most.
  private static let groupLimit = 256

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  init(store: JobStore, runner: UUID) {
    self.store = store
    self.runner = runner
  }

  /// Publishes a file, together with others that wait.
  func publish(_ item: PublishItem) async -> PublishResult {
    await withCheckedContinuation { continuation in
      waiting.append((item, continuation))
      if !isRunning {
        isRunning = true
        // A turn of its own, so that whatever else is on its way here joins the group.
        Task { self.drain() }
      }
    }
  }

  private func drain() {
    let group = Array(waiting.prefix(Publisher.groupLimit))
    waiting.removeFirst(group.count)
    let results = publishGroup(group.map(\.item))
    for (entry, result) in zip(group, results) { entry.result.resume(returning: result) }
    if waiting.isEmpty {
      isRunning = false
    } else {
      Task { self.drain() }
    }
  }

  private func publishGroup(_ items: [PublishItem]) -> [PublishResult] {
    var group = PublishGroup(items: items)
    do throws(Failure) {
      group.prepare()
      group.sync()
      let held = try store.beginPublishing(group.intents, runner: runner)
      group.keep(held)
      try group.rename { intent throws(Failure) in
        try store.beginPublishing([intent], runner: runner).contains(intent.id)
      }
      group.syncDirectories()
      _ = try store.finish(group.finished, runner: runner, now: WallClock.now())
    } catch {
      group.fail(error)
    }
    return group.results
  }
}

extension PublishItem {
  /// What is recorded before the rename to `name`.
  func intent(named name: String, identity: FileIdentity?) throws(Failure) -> PublishIntent {
    let identity = if let identity { identity } else { try publication.prepare() }
    return PublishIntent(id: job.id, identity: identity, fileName: name, digest: digest, response: response)
  }
}
