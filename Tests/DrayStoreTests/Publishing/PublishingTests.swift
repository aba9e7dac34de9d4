// Permits to rename: a name is fixed once and exclusive, and an earlier publish completes with it.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct PublishingTests {
  let state = TemporaryState()
  let store: SQLiteStore
  let runner = UUID()
  private let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)

  init() throws { store = try state.open() }

  private func intent(
    _ id: JobID, _ name: String, _ policy: ConflictPolicy? = .fail, onDisk taken: Set<String> = []
  ) -> PublishIntent {
    PublishIntent(
      id: id, identity: identity, fileName: name,
      naming: policy.map { TargetNaming(directory: "/d", policy: $0, taken: taken) })
  }

  private static let names: [(ConflictPolicy, Set<String>, String)] = [
    (.fail, [], "n"), (.overwrite, ["n"], "n"), (.skip, ["n"], "n"), (.fail, ["n"], "n"), (.rename, [], "n"),
    (.rename, ["n"], "n.1"), (.rename, ["n", "n.1"], "n.2"),
  ]

  @Test(arguments: names)
  func aNameIsFixed(policy: ConflictPolicy, onDisk: Set<String>, name: String) async throws {
    let id = try await store.makeJob("a", in: .active, runner: runner)
    let permits = try await store.beginPublishing([intent(id, "n", policy, onDisk: onDisk)], runner: runner, now: 1)
    #expect(permits == [.granted(name)])
    #expect(try await store.job(id)?.fileName == name)
    #expect(try await store.job(id)?.publishing == identity)
  }

  @Test func aNameThatIsFixedStays() async throws {
    let id = try await store.makeJob("a", in: .active, runner: runner)
    let fixed = try await store.fixName(id, runner: runner, directory: "/d", name: "first", policy: .fail, taken: [])
    #expect(fixed == "first")
    #expect(try await store.beginPublishing([intent(id, "other")], runner: runner, now: 1) == [.granted("first")])
    // Except the name that its own publish chose because the first had been taken.
    #expect(
      try await store.beginPublishing([intent(id, "first.1", nil)], runner: runner, now: 1) == [.granted("first.1")])
  }

  @Test func ofTwoInAGroupOneHasTheName() async throws {
    let ids = try await (0..<3).asyncMap { try await store.makeJob("\($0)", in: .active, runner: runner) }
    let permits = try await store.beginPublishing(
      [intent(ids[0], "n"), intent(ids[1], "n"), intent(ids[2], "n", .rename)], runner: runner, now: 1)
    #expect(permits[0] == .granted("n"))
    #expect(permits[2] == .granted("n.1"))
    guard case .refused(let failure) = permits[1] else {
      Issue.record("two jobs have one target: \(permits)")
      return
    }
    #expect(failure.kind == .file)
    #expect(failure.description.contains("job \(ids[0])"))
    // A refused job is not being published.
    #expect(try await store.job(ids[1])?.publishing == nil)
  }

  @Test func whatWasPublishedIsCompleteFirst() async throws {
    let ids = try await (0..<2).asyncMap { try await store.makeJob("\($0)", in: .active, runner: runner) }
    #expect(try await store.beginPublishing([intent(ids[0], "n")], runner: runner, now: 1) == [.granted("n")])
    // Its name is then free for the next job: the store does not know about files on disk.
    let permits = try await store.beginPublishing(
      [intent(ids[1], "n")], after: [.sample(ids[0])], runner: runner, now: 5)
    #expect(permits == [.granted("n")])
    let done = try #require(try await store.job(ids[0]))
    #expect((done.state, done.finishedAt, done.fileName) == (.complete, 5, "n"))
    #expect(try await store.attempts(of: ids[0]).count == 1)
  }

  /// Numbers of files around those that one statement completes.
  @Test(arguments: [1, 2, 8, 9, 32, 33, 41, 70])
  func aGroupIsCompleteAtOnce(count: Int) async throws {
    let all = try await store.add((0..<count + 2).map { try specification("http://h/\($0)") }, now: 1).map(\.id)
    #expect(try await store.claim(runner: runner, limit: count + 1, scope: .all, now: 2).count == count + 1)
    let (ids, removed) = (Array(all.prefix(count)), all[count])
    var waiting = try specification("http://h/waiting")
    waiting.after = [ids[0], removed]
    let waits = try await store.add([waiting], now: 1)[0].id
    _ = try await store.remove([removed])
    // The last job is not held.
    var batch = all.map { Finished.sample($0) }
    for index in batch.indices { batch[index].note = "note \(index)" }
    batch[0].digest = SourcedDigest(DigestValue(.sha256, bytes: Array(repeating: 7, count: 32)), .computed)
    batch[0].attempt = nil
    #expect(try await store.finish(batch.reversed(), runner: runner, now: 9) == Set(all.dropLast()))
    let jobs = try await store.jobs(ids: all)
    #expect(jobs.map(\.id) == ids + [all[count + 1]])
    #expect(jobs.dropLast().allSatisfy { $0.state == .complete && $0.runner == nil && $0.finishedAt == 9 })
    #expect(jobs.dropLast().map(\.note) == batch.prefix(count).map(\.note))
    #expect(jobs.dropLast().allSatisfy { $0.published == batch[0].published && $0.checkpoint.size == 3 })
    #expect(jobs[0].digest == batch[0].digest?.digest && jobs.dropFirst().allSatisfy { $0.digest == nil })
    #expect(jobs.last?.state == .queued)
    for (index, id) in ids.enumerated() {
      let attempts = try await store.attempts(of: id)
      #expect(attempts == (index == 0 ? [] : [batch[index].attempt].compactMap(\.self)))
    }
    #expect(try await store.prerequisites(of: waits).isEmpty)
  }

  @Test func anAnswerIsRecordedOrStays() async throws {
    let id = try await store.makeJob("a", in: .active, runner: runner)
    func answer(_ path: String, _ etag: String) throws -> ResponseRecord {
      ResponseRecord(
        finalURL: try url("http://h/\(path)"), redirects: [],
        head: ResponseHead(status: 200, fields: [HeaderField("ETag", etag), HeaderField("Date", "now")]), time: 5)
    }
    var first = intent(id, "n")
    first.response = try answer("x", "\"1\"")
    _ = try await store.beginPublishing([first], runner: runner, now: 1)
    _ = try await store.beginPublishing([intent(id, "n")], runner: runner, now: 1)
    var job = try #require(try await store.job(id))
    #expect(job.response == first.response)
    #expect(job.checkpoint.validators == Validators(etag: "\"1\"", date: "now"))
    first.response = try answer("y", "\"2\"")
    first.response?.head.fields.removeLast()
    _ = try await store.beginPublishing([first], runner: runner, now: 1, isDurable: false)
    job = try #require(try await store.job(id))
    #expect(job.response == first.response)
    #expect(job.checkpoint.validators == Validators(etag: "\"2\""))
  }
}
