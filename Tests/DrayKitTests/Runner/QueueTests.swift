// Runs over several jobs: all of them, in order, each by one runner (P9).

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct QueueTests {
  @Test func allJobsAreDone() async throws {
    try await KitFixture.use { fixture in
      let sizes: [Int64] = [0, 1, 10_000, 70_000, 300_000, 1_000_000]
      let versions = sizes.map { FaultServer.Version.named("v\($0)", size: $0) }
      let ids = try await versions.enumerated().asyncMap { try await fixture.add("/f\($0.offset)", $0.element) }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 3 }
      let summary = try await run.summary()
      #expect((summary.complete, summary.failed, summary.interrupted) == (6, 0, 0))
      #expect(summary.exitStatus == .success)
      for (index, version) in versions.enumerated() {
        #expect(fixture.difference("f\(index)", version) == nil)
        let job = try await fixture.job(ids[index])
        #expect(job.state == .complete)
        #expect(job.published == (try fixture.identity("f\(index)")))
        #expect(job.checkpoint.size == version.content.size)
        #expect(job.runner == nil)
        #expect(run.story(job.id) == ["started", "response", "complete"])
        #expect(try await fixture.store.attempts(of: job.id).map(\.outcome) == ["complete"])
      }
      #expect(try fixture.names.count == 6)
      #expect(await run.runner.snapshot().completeBytes == sizes.reduce(0, +))
    }
  }

  @Test func noMoreRunAtOnceThanAllowed() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      for n in 0..<6 { try await fixture.add("/f\(n)", .sample, [.held(by: gate, after: 1000)]) }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 2 }
      try #require(await gate.waitForArrivals(2, seconds: 60))
      try #require(await eventually { await run.runner.snapshot().queued == 4 })
      #expect(await run.runner.snapshot().active.count == 2)
      #expect(gate.arrivals == 2)
      gate.open()
      let summary = try await run.summary()
      #expect(summary.complete == 6)
    }
  }

  @Test func theMostUrgentGoFirstThenTheOldest() async throws {
    try await KitFixture.use { fixture in
      for (path, priority) in [("/a", 0), ("/b", 5), ("/c", -1), ("/d", 5), ("/e", 10)] {
        try await fixture.add(path, .named("v", size: 10), priority: priority)
      }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 1 }
      let summary = try await run.summary()
      #expect(summary.complete == 5)
      #expect(fixture.server.requests.map(\.path) == ["/e", "/b", "/d", "/a", "/c"])
    }
  }

  @Test func aScopeIsKept() async throws {
    try await KitFixture.use { fixture in
      let mine = try await fixture.add("/mine", .sample)
      let other = try await fixture.add("/other", .sample)
      let summary = try await fixture.run(.jobs([mine]))
      #expect(summary.complete == 1)
      #expect(try await fixture.job(mine).state == .complete)
      #expect(try await fixture.job(other).state == .queued)
    }
  }

  @Test func twoRunnersNeverShareAJob() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let ids = try await (0..<20).asyncMap {
        try await fixture.add("/f\($0)", .sample, [.held(by: gate, after: 1000)])
      }
      let runs = [
        try await Run(fixture.manager) { $0.maxConcurrent = 2 },
        try await Run(try fixture.anotherManager()) { $0.maxConcurrent = 2 },
      ]
      // Each runner has exactly two jobs.
      try #require(await gate.waitForArrivals(4, seconds: 60))
      for run in runs { #expect(await run.runner.snapshot().active.count == 2) }
      gate.open()
      let complete = [try await runs[0].summary().complete, try await runs[1].summary().complete]
      #expect(complete.reduce(0, +) == 20)
      #expect((runs[0].starts() + runs[1].starts()).sorted() == ids)
      for n in 0..<20 {
        #expect(fixture.server.requests("/f\(n)").count == 1)
        #expect(fixture.difference("f\(n)", .sample) == nil)
      }
    }
  }

  /// By another process, and by the one that runs, through the same manager.
  @Test(arguments: [true, false]) func aRunThatWaitsTakesWhatIsAdded(byAnother: Bool) async throws {
    try await KitFixture.use { fixture in
      let manager = byAnother ? try fixture.anotherManager() : fixture.manager
      let run = try await Run(fixture.manager) { $0.waitsForMore = true }
      fixture.server["/late"] = .init(.sample)
      let id = try #require(try await manager.add([try fixture.specification("/late")]).first).id
      try #require(try await eventually { try await fixture.job(id).state == .complete })
      run.runner.stop()
      let summary = try await run.summary()
      #expect(summary.complete == 1)
    }
  }

  @Test func progressIsSeenByOthers() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)])
      let run = try await Run(fixture.manager)
      let other = try fixture.anotherManager()
      try #require(try await eventually { try await other.progress()[id]?.received == 200_000 })
      #expect(try await other.progress()[id]?.size == 300_000)
      #expect(try await other.progress()[id]?.phase == .receiving)
      gate.open()
      _ = try await run.summary()
      #expect(try await other.progress().isEmpty)
    }
  }

  @Test func aRunStopsWhenItHasTransferredEnough() async throws {
    try await KitFixture.use { fixture in
      let ids = [try await fixture.add("/f", .sample), try await fixture.add("/g", .sample)]
      let first = try await Run(fixture.manager) { $0.maxTransfer = 400_000 }
      let stopped = try await first.summary()
      #expect(stopped.reachedMaxTransfer && stopped.exitStatus == .other && stopped.failed == 0)
      var kept: Int64 = 0
      for id in ids {
        let job = try await fixture.job(id)
        kept += job.published?.size ?? job.checkpoint.segments.count
      }
      #expect(kept > 0 && kept <= 400_000)
      // The rest fits into the same limit, including the bytes that are fetched again for comparison.
      let second = try await Run(fixture.manager) { $0.maxTransfer = 600_000 }
      let rest = try await second.summary()
      #expect(!rest.reachedMaxTransfer && rest.exitStatus == .success)
      #expect(fixture.difference("f", .sample) == nil)
      #expect(fixture.difference("g", .sample) == nil)
    }
  }

  @Test func anEmptyQueueEndsAtOnce() async throws {
    try await KitFixture.use { fixture in
      let summary = try await fixture.run()
      #expect(summary == RunSummary())
      #expect(try await fixture.store.livingRunners().isEmpty)
    }
  }
}
