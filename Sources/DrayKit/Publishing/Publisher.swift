// Publishes complete files in groups. Files that become complete while one group is published form the next group
// (group commit). Many small files therefore share as many syncs as one large file needs.

internal import DrayEngine
internal import DrayStore
internal import FoundationEssentials
internal import Synchronization
internal import Threads

/// A runner has two publishers, one for disks and one for servers, so that files on disks do not wait for servers.
///
/// The order of the steps ensures that no file is lost: verify, sync, record the intent, rename, sync the directory,
/// record the end. After a crash between two steps, ``Recovery`` repairs the result.
///
/// Groups overlap, which shortens the waiting for the disk. The sync of one group's bytes also makes the names of the
/// previous group durable, and the transaction with its intents also completes the jobs of the previous group.
final class Publisher: Sendable {
  private struct Inbox {
    var items: [PublishItem] = []
    var isRunning = false
  }

  private let executor: BlockingExecutor
  private let inbox = Mutex(Inbox())
  private let store: any JobStoring
  private let lease: any RunnerLease
  private var runner: UUID { lease.runner }
  private let syncs: Bool
  private let keepsPages: Bool
  private let isHalted: @Sendable () -> Bool
  private let sync: Mutex<GroupSync>

  private static let groupLimit = 512

  /// - Parameters:
  ///   - name: The name of the thread, for debuggers.
  ///   - syncs: Whether published files survive a power cut.
  ///   - keepsPages: Whether a page that arrived in place of a file is saved.
  ///   - isHalted: Whether the run is ending or suspended.
  init(
    _ name: String, store: any JobStoring, _ lease: any RunnerLease, syncs: Bool, keepsPages: Bool = true,
    _ isHalted: @escaping @Sendable () -> Bool
  ) {
    executor = BlockingExecutor(name)
    (self.store, self.lease, self.syncs, self.keepsPages) = (store, lease, syncs, keepsPages)
    self.isHalted = isHalted
    sync = Mutex(GroupSync(isWanted: syncs))
  }

  /// Publishes a file together with other waiting files. The call returns at once.
  /// - Parameter report: Receives the results of whole groups; this file may be in a later group.
  func publish(_ item: PublishItem, _ report: @escaping @Sendable ([Published]) -> Void) {
    let begins = inbox.withLock { inbox in
      inbox.items.append(item)
      defer { inbox.isRunning = true }
      return !inbox.isRunning
    }
    if begins { executor.start { await self.work(report) } }
  }

  /// Publishes group after group until no file waits.
  private func work(_ report: @Sendable ([Published]) -> Void) async {
    // Keep the measurements of disks for the next groups.
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

  /// Returns the files of the next group; `nil` if no file waits and the work may end.
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

  /// Publishes a group up to the renames, and completes the previous group.
  private func begin(
    _ items: PublishGroup, after last: PublishGroup, _ sync: inout GroupSync,
    _ report: @Sendable ([Published]) -> Void
  ) async -> PublishGroup {
    var (group, last) = (items, last)
    var rearranged: [PublishGroup.Entry] = []
    let term = lease.term
    do throws(Failure) {
      group.prepare()
      if keepsPages { await group.keepPagesAside(isHalted: isHalted, store) } else { group.refusePages() }
      sync.sync(&group, &last)
      last.arrange(syncs: syncs)
      await last.notePartialImages(store)
      await group.findTakenNames(isHalted: isHalted)
      let start = try await store.beginPublishing(
        group.intents, after: last.finished, runner: runner, now: WallClock.now(), isDurable: syncs)
      group.take(start.permits)
      rearranged = await completed(start.ended, of: &last)
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
    // These files have their names, and end with this group.
    group.entries += rearranged
    return group
  }

  /// Takes the jobs of a group that the store has completed. Returns the files that must be arranged once more.
  private func completed(_ held: Set<JobID>, of group: inout PublishGroup) async -> [PublishGroup.Entry] {
    var rearranged: [PublishGroup.Entry] = []
    do throws(Failure) { rearranged = try await takeRearranged(from: &group, held) } catch {
      group.fail(error, besides: held)
    }
    group.end(held)
    return rearranged
  }

  /// Removes and returns the files of a group that must be arranged once more: another process has asked for another
  /// link or entry in the meantime.
  private func takeRearranged(
    from group: inout PublishGroup, _ held: Set<JobID>
  ) async throws(Failure) -> [PublishGroup.Entry] {
    let left = group.unheld(held)
    return left.isEmpty ? [] : group.takeRearranged(try await store.jobs(ids: left), of: runner)
  }

  private func end(_ renamed: inout PublishGroup, _ sync: inout GroupSync) async -> [Published] {
    sync.syncNames(&renamed)
    var results: [Published] = []
    while !renamed.isEmpty {
      var rearranged: [PublishGroup.Entry] = []
      renamed.arrange(syncs: syncs)
      await renamed.notePartialImages(store)
      do throws(Failure) {
        let held = try await store.finish(renamed.finished, runner: runner, now: WallClock.now())
        rearranged = await completed(held, of: &renamed)
      } catch {
        renamed.fail(error)
      }
      results += renamed.results
      renamed.entries = rearranged
    }
    return results
  }
}
