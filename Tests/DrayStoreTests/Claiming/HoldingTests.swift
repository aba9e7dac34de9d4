// Records of a holder; a runner without its lease records nothing.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct HoldingTests {
  let state = TemporaryState()
  let store: SQLiteStore
  let runner = UUID()
  let id: JobID
  let checkpoint = Checkpoint(
    segments: SegmentSet(0..<100), size: 1000,
    validators: Validators(etag: "\"v1\"", lastModified: "x", date: "y"))

  init() async throws {
    store = try state.open()
    id = try await store.makeJob("a", in: .active, runner: runner)
  }

  private func response(_ target: String, etag: String? = nil) throws -> ResponseRecord {
    ResponseRecord(
      finalURL: try url(target), redirects: ["http://h/a"],
      head: ResponseHead(status: 200, fields: etag.map { [HeaderField("ETag", $0)] } ?? []), time: 5)
  }

  @Test func responseAndCheckpoint() async throws {
    let answer = try response("http://cdn/a")
    #expect(try await store.recordResponse(id, runner: runner, answer, size: 900))
    #expect(try await store.job(id)?.response == answer)
    #expect(try await store.job(id)?.checkpoint.size == 900)
    #expect(try await store.checkpoint([(id, checkpoint), (77, checkpoint)], runner: runner) == [id])
    #expect(try await state.open().job(id)?.checkpoint == checkpoint)
    // The size of another version does not mix with these bytes.
    #expect(try await store.recordResponse(id, runner: runner, answer, size: 5))
    #expect(try await store.job(id)?.checkpoint == checkpoint)
    #expect(try await store.forgetCheckpoint(id, runner: runner, note: "started over: changed"))
    #expect(try await store.job(id)?.checkpoint == Checkpoint())
    #expect(try await store.job(id)?.note == "started over: changed")
  }

  @Test func publishAndFinish() async throws {
    let digest = try DigestValue.parse("md5=00112233445566778899aabbccddeeff")
    let identity = FileIdentity(device: 1, inode: .max, size: 3, modified: 4)
    let intent = PublishIntent(
      id: id, identity: identity, fileName: "n", digest: SourcedDigest(digest, .metalink),
      response: try response("http://h/z", etag: "\"e\""))
    #expect(try await store.beginPublishing([intent], runner: runner, now: 8) == [.granted("n")])
    var job = try #require(try await store.job(id))
    #expect(job.publishing == identity)
    #expect(job.fileName == "n")
    #expect(job.checkpoint.validators.etag == "\"e\"")
    #expect(try await store.finish([.sample(id)], runner: runner, now: 9) == [id])
    job = try #require(try await store.job(id))
    #expect(job.state == .complete)
    #expect(job.runner == nil && job.publishing == nil && job.finishedAt == 9)
    #expect(job.published == Finished.sample(id).published)
    #expect(job.digest == digest)
    #expect(job.digestSource == .metalink)
    #expect(job.checkpoint.segments == SegmentSet(0..<3))
    #expect(
      try await store.attempts(of: id) == [
        AttemptRecord(startedAt: 2, endedAt: 3, outcome: "complete", firstByte: 0, lastByte: 3)
      ])
  }

  @Test(arguments: [JobState.failed, .interrupted, .paused])
  func stops(as end: JobState) async throws {
    _ = try await store.forgetCheckpoint(id, runner: runner, note: "n")
    _ = try await store.checkpoint([(id, checkpoint)], runner: runner)
    let failure = Failure(.status, "http://h/a", "404", httpStatus: 404)
    #expect(
      try await store.endAttempt(
        id, runner: runner, JobStop(end, failure, retry: RetryRecord(used: 1, furthest: 2)), now: 8,
        attempt: AttemptRecord(startedAt: 1, endedAt: 8, outcome: end.rawValue)))
    let job = try #require(try await store.job(id))
    #expect(job.state == end)
    #expect(job.failure == failure)
    #expect(job.retry == RetryRecord(used: 1, furthest: 2))
    #expect(job.note == "n", "what was noted before stays")
    #expect(job.checkpoint.segments == (end == .failed ? SegmentSet() : checkpoint.segments))
    #expect(job.finishedAt == (end == .failed ? 8 : nil))
  }

  @Test func historyIsBounded() async throws {
    for number in 0..<(AttemptRecord.kept + 20) {
      #expect(
        try await store.requeue(
          id, runner: runner, notBefore: nil, now: 1, retry: RetryRecord(), failure: nil,
          attempt: AttemptRecord(startedAt: Double(number), endedAt: 0, outcome: "retry")))
      _ = try await store.claim(runner: runner, limit: 1, scope: .all, now: 2)
    }
    let attempts = try await store.attempts(of: id)
    #expect(attempts.count == AttemptRecord.kept)
    #expect(attempts.last?.startedAt == Double(AttemptRecord.kept + 19))
  }

  @Test func nothingIsRecordedWithoutTheLease() async throws {
    let other = UUID()
    let before = try await store.job(id)
    let answer = try response("http://h/a")
    #expect(try await !store.recordResponse(id, runner: other, answer, size: 1))
    #expect(try await store.checkpoint([(id, checkpoint)], runner: other).isEmpty)
    #expect(try await !store.forgetCheckpoint(id, runner: other, note: nil))
    #expect(try await !store.recordDigestRetry(id, runner: other))
    #expect(
      try await store.fixName(id, runner: other, directory: "/d", name: "n", policy: .fail, taken: [])
        == nil)
    let identity = FileIdentity(device: 1, inode: 1, size: 1, modified: 1)
    let naming = TargetNaming(directory: "/d", policy: .fail, taken: [])
    let intents = [nil, naming].map { PublishIntent(id: id, identity: identity, fileName: "n", naming: $0) }
    #expect(try await store.beginPublishing(intents, runner: other, now: 9) == [.lost, .lost])
    #expect(try await store.beginPublishing([], after: [.sample(id)], runner: other, now: 9).isEmpty)
    #expect(try await store.finish([.sample(id)], runner: other, now: 9).isEmpty)
    #expect(
      try await !store.requeue(
        id, runner: other, notBefore: nil, now: 1, retry: RetryRecord(), failure: nil,
        attempt: AttemptRecord(startedAt: 1, endedAt: 2, outcome: "retry")))
    #expect(
      try await !store.endAttempt(
        id, runner: other, JobStop(.failed), now: 1))
    #expect(try await !store.removeOwned(id, runner: other))
    #expect(try await !store.retryOwned(id, runner: other))
    #expect(try await store.release(other) == 0)
    #expect(try await store.job(id) == before)
    #expect(try await store.attempts(of: id).isEmpty)
  }

  @Test("the latest command decides: not a withdrawn pause, nor one followed by a removal")
  func wishes() async throws {
    func stop(_ pending: PendingCommandRule) async throws -> Bool {
      try await store.endAttempt(
        id, runner: runner, JobStop(.paused), now: 1, attempt: nil, pending: pending)
    }
    #expect(try await !stop(.carryOut(.pause)))
    _ = try await store.pause([id])
    #expect(try await !stop(.yield))
    _ = try await store.resume([id])
    #expect(try await !stop(.carryOut(.pause)))
    _ = try await store.pause([id])
    _ = try await store.remove([id])
    #expect(try await !stop(.carryOut(.pause)))
    #expect(try await !store.retryOwned(id, runner: runner))
    #expect(try await store.commands(runner: runner).map(\.command) == [.remove])
    // The file was published before the removal could take effect.
    #expect(try await store.finish([.sample(id)], runner: runner, now: 9) == [id])
    #expect(try await store.job(id) == nil)
  }

  @Test(
    "an interrupted publish frees its job, or applies its command", arguments: [nil, JobCommand.remove, .pause])
  func commandsApplied(pending: JobCommand?) async throws {
    let identity = FileIdentity(device: 1, inode: 1, size: 1, modified: 1)
    let intent = PublishIntent(id: id, identity: identity, fileName: "n")
    #expect(try await store.beginPublishing([intent], runner: runner, now: 8) == [.granted("n")])
    if pending == .remove { _ = try await store.remove([id]) }
    if pending == .pause { _ = try await store.pause([id]) }
    let failure = Failure(.file, "/d", "the disk is out of order")
    let attempt = AttemptRecord(startedAt: 1, endedAt: 2, outcome: "interrupted")
    let isFree = try await store.interruptPublishing(id, runner: runner, failure: failure, attempt: attempt)
    #expect(isFree == (pending == nil))
    if !isFree { #expect(try await store.applyCommand(id, runner: runner)) }
    let job = try await store.job(id)
    #expect(job?.state == (pending == .remove ? nil : .interrupted))
    #expect(pending == .remove || job?.publishing == identity && job?.runner == nil)
    #expect(job?.failure == (pending == nil ? failure : nil))
    #expect(try await !store.applyCommand(id, runner: runner))
  }

  @Test("a held job's new URL comes with its credentials") func newURL() async throws {
    let url = try specification("http://h/new").request.url
    let result = try await store.setURL(id, url, keepingCredentials: false) { request in
      var request = request
      request.credentials = Credentials(user: "u", password: "p")
      return request
    }
    guard case .asked = result else { return #expect(Bool(false), "\(result)") }
    let request = try await store.job(id)?.specification.request
    #expect(request?.url == url && request?.credentials == Credentials(user: "u", password: "p"))
  }

  @Test("a repeated check uses the current request") func recheckedWithTheRequestOfNow() async throws {
    _ = try await store.finish([.sample(id)], runner: runner, now: 9)
    var specification = try #require(try await store.job(id)).specification
    specification.options.retries = 77
    try await store.recheck([(id, specification)])
    let job = try await store.job(id)
    #expect(job?.state == .queued && job?.specification.options.retries == 77)
    // An incomplete job is unchanged.
    specification.options.retries = 78
    try await store.recheck([(id, specification)])
    #expect(try await store.job(id)?.specification.options.retries == 77)
  }

  @Test func digestIsRetriedOnce() async throws {
    #expect(try await store.recordDigestRetry(id, runner: runner))
    #expect(try await !store.recordDigestRetry(id, runner: runner))
  }

  @Test func nameIsFixedOnce() async throws {
    func fix(_ name: String, _ policy: ConflictPolicy = .fail, taken: Set<String> = []) async throws -> String? {
      try await store.fixName(
        id, runner: runner, directory: "/d", name: name, policy: policy, taken: taken)
    }
    #expect(try await fix("n", taken: ["n"]) == "n")
    #expect(try await fix("other") == "n")
  }

  @Test func nameOfAnotherJob() async throws {
    _ = try await store.add([try specification("http://h/b", output: "n")], now: 1)
    let refused = await thrown {
      _ = try await store.fixName(
        id, runner: runner, directory: "/d", name: "n", policy: .overwrite, taken: [])
    }
    #expect(refused?.kind == .file)
    #expect(refused?.reason == "it is the target of job 2, which is queued")
    let first = FileName.numbered("n", 1)
    let given = try await store.fixName(
      id, runner: runner, directory: "/d", name: "n", policy: .rename, taken: [first])
    #expect(given == FileName.numbered("n", 2))
  }

  @Test func releasedJobsAreInterrupted() async throws {
    #expect(try await store.release(runner) == 1)
    #expect(try await store.job(id)?.state == .interrupted)
    #expect(try await store.activeRunners().isEmpty)
  }
}
