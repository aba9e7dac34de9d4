// Publishes complete files in groups. Files that finish while one group is being published form the next one (group
// commit), so many small files share the syncs that a large file has alone.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Synchronization
internal import Threads

/// A complete file to publish.
final class PublishItem: Sendable {
  let box: JobBox
  let publication: Publication
  /// The name of the target.
  let fileName: String
  /// Whether the name is fixed. If not, the intent fixes it.
  let isNamed: Bool
  let facts: PublishFacts
  /// The checksums to record, if any.
  let sums: BlockSums?

  init(
    _ box: JobBox, _ publication: Publication, fileName: String, isNamed: Bool, facts: PublishFacts,
    sums: BlockSums? = nil
  ) {
    (self.box, self.publication, self.fileName, self.isNamed) = (box, publication, fileName, isNamed)
    (self.facts, self.sums) = (facts, sums)
  }
}

/// The facts to record when a file is published.
struct PublishFacts: Sendable {
  /// The proven digest.
  var digest: SourcedDigest?
  /// The answer that delivered the file; `nil` keeps the recorded one.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}

/// The result for one file.
struct Published: Sendable {
  var item: PublishItem
  /// The name of the target, now fixed.
  var name: String
  /// A note for people.
  var note: String?
  /// The digest of its bytes, if one is known.
  var digest: SourcedDigest?
  var result: PublishResult
}

/// The outcome of a publish.
enum PublishResult: Sendable {
  case published(path: String)
  case skipped(path: String)
  /// The file that has the name has the same bytes. It stays.
  case equal
  case failed(Failure)
  /// The run ended before a free name was found. Nothing was published.
  case stopped
  /// A file of the same group has its name, which it replaces with the next group.
  case next
  /// Another unfinished job has its name, which it replaces later.
  case busy(Failure)
  /// A page came instead of the file. It was kept under another name.
  case refused(Failure)
  /// The file was renamed, but the rename may not be durable. Recovery finishes the publish.
  case unfinished(Failure)
}

/// A publisher. A runner has one for disks and one for servers, so that files on disks do not wait for servers.
///
/// The order of its steps ensures that nothing is lost: verify, sync, record the intent, rename, sync the directory,
/// record the end. ``Recovery`` repairs a crash between any two steps.
///
/// Groups overlap to save waiting for the disk. The sync of a group's bytes also makes the names of the previous group
/// durable, and the transaction with its intents also completes that group's jobs.
final class Publisher: Sendable {
  private struct Inbox {
    var items: [PublishItem] = []
    var isRunning = false
  }

  private let queue: BlockingExecutor
  private let inbox = Mutex(Inbox())
  private let store: any JobStoring
  private let lease: any RunnerLease
  private var runner: UUID { lease.runner }
  private let syncs: Bool
  private let isHalted: @Sendable () -> Bool
  private let sync: Mutex<GroupSync>

  /// The maximum number of files in one group.
  private static let groupLimit = 512

  /// - Parameters:
  ///   - name: the name of its thread, for debuggers.
  ///   - syncs: whether published files survive a power cut.
  ///   - isHalted: whether the run ends or is suspended.
  init(
    _ name: String, store: any JobStoring, _ lease: any RunnerLease, syncs: Bool,
    _ isHalted: @escaping @Sendable () -> Bool
  ) {
    queue = BlockingExecutor(name)
    (self.store, self.lease, self.syncs, self.isHalted) = (store, lease, syncs, isHalted)
    sync = Mutex(GroupSync(isWanted: syncs))
  }

  /// Publishes a file together with others that wait. Returns at once.
  /// - Parameter report: receives the results of whole groups, not always including this file.
  func publish(_ item: PublishItem, _ report: @escaping @Sendable ([Published]) -> Void) {
    let begins = inbox.withLock { inbox in
      inbox.items.append(item)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if begins { queue.start { await self.work(report) } }
  }

  /// Publishes group after group until no file waits.
  private func work(_ report: @Sendable ([Published]) -> Void) async {
    // Keep the disk measurements between runs of this loop.
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

  /// Returns the waiting files, at most one group; `nil` if none wait and the work may end.
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

  /// Publishes a group up to the renames, and completes the previous one.
  private func begin(
    _ items: PublishGroup, after last: PublishGroup, _ sync: inout GroupSync,
    _ report: @Sendable ([Published]) -> Void
  ) async -> PublishGroup {
    var (group, last) = (items, last)
    let term = lease.term
    do throws(Failure) {
      group.prepare()
      await group.keepPagesAside(isHalted: isHalted, store)
      sync.sync(&group, &last)
      await group.findTakenNames(isHalted: isHalted)
      let start = try await store.beginPublishing(
        group.intents, after: last.finished, runner: runner, now: WallClock.now(), isDurable: syncs)
      group.take(start.permits)
      last.end(start.ended)
    } catch {
      group.fail(error)
      last.fail(error)
    }
    if !last.isEmpty { report(last.results) }
    let leaseIsOver: @Sendable () -> Bool = { [lease] in !lease.lasts(since: term) }
    let waiting = group.takeWaiting()
    if !waiting.isEmpty { inbox.withLock { $0.items.insert(contentsOf: waiting, at: 0) } }
    await group.rename(leaseIsOver: leaseIsOver, isHalted: isHalted) {
      [store, runner, syncs] (intent) async throws(Failure) in
      try await store.beginPublishing([intent], after: [], runner: runner, now: WallClock.now(), isDurable: syncs)
        .permits[0]
    }
    return group
  }

  /// Completes a group whose files are renamed.
  private func end(_ renamed: inout PublishGroup, _ sync: inout GroupSync) async -> [Published] {
    sync.syncNames(&renamed)
    do throws(Failure) {
      renamed.end(try await store.finish(renamed.finished, runner: runner, now: WallClock.now()))
    } catch {
      renamed.fail(error)
    }
    return renamed.results
  }
}

extension PublishItem {
  /// Returns the record to store before the rename to `name`.
  /// - Parameter isAnother: whether the job takes this name instead of the one that it has.
  func intent(
    _ name: String, _ identity: FileIdentity, _ digest: SourcedDigest?, taken: Set<String> = [],
    isAnother: Bool = false
  ) -> PublishIntent {
    let policy = isAnother ? .fail : box.job.specification.options.onConflict
    let naming = TargetNaming(
      directory: publication.part.destination.path, policy: policy, taken: taken, isAnother: isAnother)
    return PublishIntent(
      id: box.job.id, identity: identity, fileName: name, naming: isNamed && !isAnother ? nil : naming, digest: digest,
      response: facts.response, sums: sums)
  }

  /// Returns the digest to record. A file without checksums of its blocks, because it is small, is hashed while it is in
  /// memory: otherwise nothing could show later that it is unchanged. Blocks.
  func digestToRecord() throws(Failure) -> SourcedDigest? {
    let isProved = facts.digest.map { $0.source != .computed } ?? false
    guard !isProved, publication.size <= BlockSums.block else { return facts.digest }
    let found = try FileHashing.digest(.sha256, publication.part, publication.size) { false }
    return found.map { SourcedDigest($0, .computed) }
  }
}
