// Publishes complete files in groups: what finishes while one group is on its way makes up the next (group commit), so
// that many small files share the syncs that a large one has to itself.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Synchronization
internal import Threads

/// A whole file on its way to its target.
final class PublishItem: Sendable {
  let job: Job
  let publication: Publication
  /// The name of the target.
  let fileName: String
  /// Whether that name is fixed; if not, it is with the intent.
  let isNamed: Bool
  let facts: PublishFacts
  /// The checksums to record, if any.
  let sums: BlockSums?

  init(
    job: Job, publication: Publication, fileName: String, isNamed: Bool, facts: PublishFacts, sums: BlockSums?
  ) {
    (self.job, self.publication, self.fileName, self.isNamed) = (job, publication, fileName, isNamed)
    (self.facts, self.sums) = (facts, sums)
  }
}

/// What is recorded of a whole file when it is published.
struct PublishFacts: Sendable {
  /// The digest that it was proved to have.
  var digest: SourcedDigest?
  /// The answer that brought it; `nil` leaves what is recorded.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}

/// What became of it.
struct Published: Sendable {
  var item: PublishItem
  /// The name of the target, fixed by now.
  var name: String
  /// What is worth knowing of it.
  var note: String?
  var result: PublishResult
}

/// How a publish ended.
enum PublishResult: Sendable {
  case published(path: String)
  case skipped(path: String)
  case failed(Failure)
  /// A page came in its place, which was kept under another name.
  case refused(Failure)
  /// It was renamed, and that this is durable could not be made sure: its publish is left to be finished.
  case unfinished(Failure)
}

/// The publisher of one runner. The order of its steps is the promise: verify, sync, record the intent, rename, sync
/// the directory, record the end. A crash between any two is repaired by ``Recovery``.
///
/// Groups overlap where that saves waiting for the disk: the sync of a group's bytes also makes the names of the group
/// before durable, and the transaction with its intents has the ends of that group too.
final class Publisher: Sendable {
  private struct Inbox {
    var items: [PublishItem] = []
    var isRunning = false
  }

  private let queue = BlockingQueue("dray.publish")
  private let inbox = Mutex(Inbox())
  private let store: any JobStoring
  private let runner: UUID
  private let syncs: Bool
  private let sync: Mutex<GroupSync>

  /// Files that are published in one group at most.
  private static let groupLimit = 512

  /// - Parameter syncs: whether what is published survives a power cut.
  init(store: any JobStoring, runner: UUID, syncs: Bool) {
    (self.store, self.runner, self.syncs) = (store, runner, syncs)
    sync = Mutex(GroupSync(isWanted: syncs))
  }

  /// Publishes a file, together with others that wait. Returns at once.
  /// - Parameter report: takes what became of whole groups; not always the one with this file only.
  func publish(_ item: PublishItem, _ report: @escaping @Sendable ([Published]) -> Void) {
    let begins = inbox.withLock { inbox in
      inbox.items.append(item)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if begins { queue.start { await self.work(report) } }
  }

  /// Publishes group after group until none waits.
  private func work(_ report: @Sendable ([Published]) -> Void) async {
    // What was learnt of the disks is kept from one time to the next.
    var sync = sync.withLock(\.self)
    defer { self.sync.withLock { $0 = sync } }
    var renamed = PublishGroup()
    while let items = take(mayEnd: renamed.isEmpty) {
      if items.isEmpty {
        report(await end(&renamed, &sync))
        renamed = PublishGroup()
      } else {
        renamed = await begin(PublishGroup(items: items), after: renamed, &sync, report)
      }
    }
  }

  /// What waits, at most a group; `nil` if nothing does, and this was the end.
  private func take(mayEnd: Bool) -> [PublishItem]? {
    inbox.withLock { inbox in
      if inbox.items.isEmpty, mayEnd {
        inbox.isRunning = false
        return nil
      }
      let items = Array(inbox.items.prefix(Publisher.groupLimit))
      inbox.items.removeFirst(items.count)
      return items
    }
  }

  /// Publishes a group up to the renames, and completes the one before it.
  private func begin(
    _ items: PublishGroup, after last: PublishGroup, _ sync: inout GroupSync,
    _ report: @Sendable ([Published]) -> Void
  ) async -> PublishGroup {
    var (group, last) = (items, last)
    do throws(Failure) {
      group.prepare()
      sync.sync(&group, &last)
      group.take(
        try await store.beginPublishing(
          group.intents, after: last.finished, runner: runner, now: WallClock.now(), isDurable: syncs))
    } catch {
      group.fail(error)
      last.fail(error)
    }
    if !last.isEmpty { report(last.results) }
    await group.rename { intent async throws(Failure) in
      try await store.beginPublishing([intent], after: [], runner: runner, now: WallClock.now(), isDurable: syncs)[0]
    }
    return group
  }

  /// Completes a group whose files are renamed.
  private func end(_ renamed: inout PublishGroup, _ sync: inout GroupSync) async -> [Published] {
    sync.syncNames(&renamed)
    do throws(Failure) {
      _ = try await store.finish(renamed.finished, runner: runner, now: WallClock.now())
    } catch {
      renamed.fail(error)
    }
    return renamed.results
  }
}

extension PublishItem {
  /// What is recorded before the rename to `name`.
  func intent(_ name: String, _ identity: FileIdentity, isFixed: Bool = false) -> PublishIntent {
    let destination = publication.part.destination
    let naming = TargetNaming(directory: destination.path, policy: job.specification.options.onConflict) {
      [specification = job.specification] in Conflict.isTaken($0, for: specification, in: destination)
    }
    return PublishIntent(
      id: job.id, identity: identity, fileName: name, naming: isNamed || isFixed ? nil : naming, digest: facts.digest,
      response: facts.response, sums: sums)
  }
}
