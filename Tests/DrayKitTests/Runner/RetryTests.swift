// Temporary failures are retried from where they stopped, a limited number of times.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct RetryTests {
  @Test func aCutTransferGoesOnWhereItStopped() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.cut(after: 100_000), .cut(after: 115_536), .normal])
      let run = try await Run(fixture.manager)
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(summary.exitStatus == .success)
      #expect(fixture.ranges("/f") == [nil, "bytes=87500-", "bytes=188594-"])
      #expect(fixture.difference("f", .sample) == nil)
      // A connection that breaks again after it has continued is replaced at once, within the same attempt.
      #expect(run.story(id).filter { $0 == "retrying" }.count == 1)
      #expect(try await fixture.store.attempts(of: id).map(\.outcome) == ["retried", "complete"])
      #expect(try await fixture.job(id).failure == nil)
    }
  }

  @Test(arguments: [0, 2]) func usedUpWithNothingReceivedItFails(_ retries: Int) async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(503)]) { $0.retries = retries }
      let summary = try await fixture.run()
      #expect((summary.failed, summary.exitStatus) == (1, .status))
      #expect(fixture.server.requests("/f").count == retries + 1)
      #expect(try await fixture.job(id).state == .failed)
      #expect(try fixture.names.isEmpty)
    }
  }

  @Test func usedUpWithBytesKeptItIsInterruptedAndAnotherRunGoesOn() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.cut(after: 100_000), .status(503)]) { $0.retries = 1 }
      let summary = try await fixture.run()
      #expect((summary.interrupted, summary.exitStatus) == (1, .status))
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.checkpoint.segments == SegmentSet(0..<100_000))
      #expect(fixture.bytes(job.partFileName) == FaultServer.Version.sample.content.bytes(in: 0..<100_000))
      fixture.server.update("/f") { $0.script = [] }
      try await fixture.run()
      #expect(fixture.ranges("/f").last == "bytes=87500-")
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try fixture.names == ["f"])
    }
  }

  @Test func aMirrorWhoseSchemeIsNotAllowedIsNotAsked() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample, script: [.status(404)])
      let mirror = try RequestURL.parse("https://127.0.0.1:1/f").url
      var specification = try fixture.specification("/f") { $0.mirrors = [mirror] }
      specification.request.redirects = RedirectOptions()
      specification.request.redirects?.schemes = ["http"]
      let id = try #require(try await fixture.manager.add([specification]).first).id
      #expect(try await fixture.run().failed == 1)
      let failure = try await fixture.job(id).failure
      #expect(failure?.reason.contains("the scheme https is not allowed") == true)
    }
  }

  @Test func whatRarelyPassesIsRetriedOnRequest() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(404), .status(403), .normal]) { $0.retriesAll = true }
      let run = try await Run(fixture.manager) { $0.failsFast = true }
      #expect(try await run.summary().complete == 1)
      #expect(run.story(id).filter { $0 == "retrying" }.count == 2)
    }
  }

  @Test(arguments: [(["404", "403"], 1), (["4xx"], 1), (["404"], 0)]) func theUsersStatusesAreRetried(
    _ patterns: [String], _ complete: Int
  ) async throws {
    try await KitFixture.use { fixture in
      let statuses = patterns.compactMap { StatusPattern($0) }
      let id = try await fixture.add("/f", .sample, [.status(404), .status(403), .normal]) {
        $0.retryStatuses = statuses
      }
      let run = try await Run(fixture.manager) { $0.failsFast = true }
      #expect(try await run.summary().complete == complete)
      #expect(run.story(id).filter { $0 == "retrying" }.count == 1 + complete)
    }
  }

  /// Nothing was received, and a user is watching.
  @Test(arguments: [(true, 2), (false, 4)]) func aClosedPortEndsSoonWhereThatIsWanted(_ failsFast: Bool, _ retries: Int)
    async throws
  {
    try await KitFixture.use { fixture in
      let port = try RefusingPort()
      var specification = try fixture.specification("/f") { $0.retries = 4 }
      specification.request.url = try RequestURL.parse(port.url("/f")).url
      let id = try #require(try await fixture.manager.add([specification]).first).id
      let run = try await Run(fixture.manager) { $0.failsFast = failsFast }
      let summary = try await run.summary()
      #expect((summary.failed, summary.exitStatus) == (1, .network))
      #expect(run.story(id).filter { $0 == "retrying" }.count == retries)
      let failure = try await fixture.job(id).failure
      #expect(failure?.reason.hasPrefix("127.0.0.1:\(port.number) refused the connection (") == true)
    }
  }

  /// Progress resets the count; otherwise a transfer in many short steps would never succeed.
  @Test func newGroundGivesNewRetries() async throws {
    try await KitFixture.use { fixture in
      try await fixture.add("/f", .sample, [FaultServer.Answer](repeating: .cut(after: 140_000), count: 3) + [.normal])
      {
        $0.retries = 1
      }
      let summary = try await fixture.run()
      #expect(summary.complete == 1)
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  /// Each answer repeats an eighth of what the last one delivered (P18), so a connection that ends after 70,000 bytes
  /// brings 61,250 new ones. The first retry waits; the others follow at once.
  @Test func shortAnswersAreProgress() async throws {
    try await KitFixture.use { fixture in
      let version = FaultServer.Version.named("short", size: 400_000)
      try await fixture.add("/f", version, [FaultServer.Answer](repeating: .cut(after: 70_000), count: 9) + [.normal]) {
        $0.retries = 2
      }
      let summary = try await fixture.run()
      #expect(summary.complete == 1)
      #expect(fixture.difference("f", version) == nil)
      #expect(fixture.server.requests("/f").count == 7)
    }
  }

  @Test func dripsComeToAnEnd() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.cut(after: 1000)]) { $0.retries = 3 }
      try await fixture.run()
      #expect(try await fixture.job(id).state == .interrupted)
      #expect(fixture.server.requests("/f").count == 4)
      #expect(try await fixture.job(id).checkpoint.segments.prefix == 1000)
    }
  }

  /// R15: the whole is requested once, not at each retry; once more when the user asks again.
  @Test func aServerThatAnswers416ToEveryRange() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add(
        "/f", .sample,
        [.cut(after: 100_000), .status(416), .cut(after: 90_000), .status(416), .status(416), .normal])
      let summary = try await fixture.run()
      #expect(summary.exitStatus == .status)
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted && job.checkpoint.segments == SegmentSet(0..<90_000))
      #expect(fixture.server.requests("/f").count == 4)
      #expect(job.failure?.reason.contains("again after starting over") == true)
      _ = try await fixture.manager.resume([id])
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.server.requests("/f").count == 6)
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test(arguments: [404, 401]) func whatWillNotPassIsNotTriedAgain(_ status: Int) async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(status)])
      let summary = try await fixture.run()
      #expect(summary.exitStatus == (status == 404 ? .status : .authentication))
      #expect(try await fixture.job(id).state == .failed)
      #expect(fixture.server.requests("/f").count == 1)
      #expect(try fixture.names.isEmpty)
    }
  }

  @Test func anExpiredLinkKeepsItsBytes() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.cut(after: 100_000), .status(403)])
      let summary = try await fixture.run()
      #expect(summary.exitStatus == .authentication)
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.failure?.advice?.description.contains("another URL for job \(id)") ?? false)
      #expect(FileManager.default.fileExists(atPath: job.partFile))
    }
  }

  @Test func retryAfterHoldsForTheOriginAndNoOther() async throws {
    let elsewhere = try FaultServer()
    defer { elsewhere.stop() }
    try await KitFixture.use { fixture in
      try await fixture.add("/busy", .sample, [.status(503, headers: ["Retry-After: 20"]), .normal], priority: 9)
      try await fixture.add("/same", .sample)
      elsewhere["/other"] = .init(.sample)
      var other = try fixture.specification("/x")
      other.request.url = try RequestURL.parse(elsewhere.url("/other")).url
      _ = try await fixture.manager.add([other])
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 1 }
      let summary = try await run.summary()
      #expect(summary.complete == 3)
      let busy = fixture.server.requests("/busy")
      try #require(busy.count == 2)
      let same = try #require(fixture.server.requests("/same").first)
      let free = try #require(elsewhere.requests("/other").first)
      // The wait is in whole seconds of a clock that may be adjusted, so it may be slightly shorter.
      #expect(same.time - busy[0].time >= .milliseconds(19_900))
      #expect(busy[1].time - busy[0].time >= .milliseconds(19_900))
      // The slot was given up during the wait.
      #expect(free.time < same.time)
    }
  }

  @Test func aWaitThatIsTooLongIsTold() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(503, headers: ["Retry-After: 7200"])])
      let summary = try await fixture.run()
      #expect(summary.interrupted == 1)
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.failure?.message(.plain).contains("7200 s") ?? false)
      // The next run would have to wait longer than its limit, so it ends at once.
      let next = try await fixture.run()
      #expect(next.complete == 0)
      #expect(fixture.server.requests("/f").count == 1)
    }
  }

  /// A job that is queued again may be claimed before the attempt that gave it up has left its slot.
  @Test("P9 a job that is reclaimed at once runs to its end, however often the queue is polled")
  func claimedAgainAtOnce() async throws {
    try await KitFixture.use { fixture in
      let refusals = (1...20).map { _ in FaultServer.Answer.status(503) }
      let ids = try await (0..<4).asyncMap { n in
        try await fixture.add("/f\(n)", .sample, refusals + [.normal]) { ($0.retries, $0.retryWait) = (100, 0) }
      }
      let run = try await Run(fixture.manager)
      let looks = Task {
        while !Task.isCancelled {
          await run.runner.claimer.queueMayHaveChanged()
          try? await Task.sleep(for: .milliseconds(1))
        }
      }
      defer { looks.cancel() }
      #expect(try await run.summary().complete == ids.count)
      for (n, id) in ids.enumerated() {
        #expect(fixture.difference("f\(n)", .sample) == nil)
        #expect(run.starts().filter { $0 == id }.count == refusals.count + 1)
        #expect(fixture.server.requests("/f\(n)").count == refusals.count + 1)
      }
    }
  }

  /// Holds that moment: the job is free in the store, and its attempt is still running.
  @Test("P9 a job has one attempt at a time")
  func oneAttemptAtATime() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000), .normal])
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      // Wait until the name is recorded, so that no write to the store is pending.
      try #require(try await eventually { try await fixture.job(id).fileName != nil })
      _ = try await fixture.store.requeue(
        id, runner: run.runner.id, notBefore: nil, now: 0, retry: RetryRecord(), failure: nil,
        attempt: nil)
      await run.runner.claimer.queueMayHaveChanged()
      #expect(await eventually { await run.runner.claimer.reclaimed[id] != nil })
      #expect(run.starts() == [id])
      run.runner.stop()
      _ = try await run.summary()
      #expect(fixture.server.requests("/f").count == 1)
      try await fixture.run()
      #expect(fixture.ranges("/f") == [nil, "bytes=175000-"])
      #expect(fixture.difference("f", .sample) == nil)
    }
  }
}
