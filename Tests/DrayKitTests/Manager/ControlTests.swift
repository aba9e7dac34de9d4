// Commands, also from other processes, reach an active job; stopping keeps its bytes.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct ControlTests {
  /// Runs `body` when 200,000 bytes of a job are here and no more come.
  private func midway(_ body: (KitFixture, Run, JobID) async throws -> Void) async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000), .normal])
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      try await body(fixture, run, id)
    }
  }

  private func state(_ outcomes: [DownloadManager.ControlOutcome]) -> String? {
    switch outcomes.first?.result {
    case .done: "done"
    case .asked: "asked"
    case .refused(let reason, let advice): advice.map { "\(reason); \($0)" } ?? reason
    case .unknown: "unknown"
    case nil: nil
    }
  }

  /// By another process, and by the one that runs, through the same manager.
  @Test(arguments: [true, false]) func pauseAndResume(byAnother: Bool) async throws {
    try await midway { fixture, run, id in
      let manager = byAnother ? try fixture.anotherManager() : fixture.manager
      _ = try await manager.pause([id])
      let summary = try await run.summary()
      #expect((summary.interrupted, summary.exitStatus) == (1, .success))
      #expect(run.story(id).last == "paused")
      let job = try await fixture.job(id)
      #expect(job.state == .paused)
      #expect(job.checkpoint.segments == SegmentSet(0..<200_000))

      // A run leaves it alone.
      try await fixture.run()
      #expect(fixture.server.requests("/f").count == 1)
      let outcome = try await fixture.manager.resume([id])
      #expect(state(outcome) == "done")
      try await fixture.run()
      #expect(fixture.ranges("/f") == [nil, "bytes=175000-"])
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func removeTakesTheBytesAlong() async throws {
    try await midway { fixture, run, id in
      _ = try await fixture.anotherManager().remove([id])
      _ = try await run.summary()
      #expect(run.story(id).last == "removed")
      #expect(try await fixture.store.job(id) == nil)
      #expect(try fixture.names.isEmpty)
    }
  }

  @Test func retryStartsOver() async throws {
    try await midway { fixture, run, id in
      let outcome = try await fixture.anotherManager().retry([id])
      #expect(state(outcome) == "asked")
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(fixture.ranges("/f") == [nil, nil])
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try fixture.names == ["f"])
    }
  }

  @Test func aFreshLinkGoesOnWithTheBytes() async throws {
    try await midway { fixture, run, id in
      fixture.server["/fresh"] = .init(.sample)
      let url = try RequestURL.parse(fixture.server.url("/fresh")).url
      _ = try await fixture.anotherManager().setURL(id, url)
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(
        fixture.ranges("/fresh") == [
          "bytes=175000-", "bytes=0-65535", "bytes=67232-132767", "bytes=134464-174999", "bytes=175000-",
        ])
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try await fixture.job(id).specification.request.url == url)
    }
  }

  @Test func aFreshLinkToAnotherVersionStartsOver() async throws {
    try await midway { fixture, run, id in
      let other = FaultServer.Version.named("v2", size: 250_000)
      fixture.server["/fresh"] = .init(other)
      _ = try await fixture.anotherManager().setURL(id, try RequestURL.parse(fixture.server.url("/fresh")).url)
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(run.story(id).contains("restarted"))
      #expect(fixture.difference("f", other) == nil)
    }
  }

  @Test func stopMakesWhatIsHereDurable() async throws {
    try await midway { fixture, run, id in
      run.runner.stop()
      let summary = try await run.summary()
      #expect((summary.interrupted, summary.exitStatus) == (1, .success))
      #expect(run.events(id).last == .interrupted(nil))
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted)
      #expect(job.runner == nil)
      #expect(job.checkpoint.segments == SegmentSet(0..<200_000))
      #expect(job.checkpoint.size == 300_000)
      #expect(fixture.bytes(job.partFileName) == FaultServer.Version.sample.content.bytes(in: 0..<200_000))
      #expect(try await fixture.store.livingRunners().isEmpty)

      try await fixture.run()
      #expect(fixture.ranges("/f").last == "bytes=175000-")
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try fixture.names == ["f"])
    }
  }

  /// A power cut during or after the transfer finds a checkpoint (P4).
  @Test func checkpointsAreWrittenWhileItRuns() async throws {
    try await midway { fixture, run, id in
      try #require(try await eventually { try await fixture.job(id).checkpoint.segments.prefix > 0 })
      let recorded = try await fixture.job(id).checkpoint.segments.prefix
      let bytes = try #require(fixture.bytes(try await fixture.job(id).partFileName))
      #expect(Int64(bytes.count) >= recorded)
      #expect(bytes.prefix(Int(recorded)).elementsEqual(FaultServer.Version.sample.content.bytes(in: 0..<recorded)))
      run.runner.stop()
      _ = try await run.summary()
    }
  }

  @Test func aFailedJobIsRetriedFromNothing() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(404), .normal])
      try await fixture.run()
      #expect(try await fixture.job(id).state == .failed)
      let resumed = try await fixture.manager.resume([id])
      #expect(state(resumed) == "it has failed; a retry of job \(id) starts it over")
      let retried = try await fixture.manager.retry([id])
      #expect(state(retried) == "done")
      try await fixture.run()
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func whatIsNotThereIsUnknown() async throws {
    try await KitFixture.use { fixture in
      let paused = try await fixture.manager.pause([77])
      #expect(state(paused) == "unknown")
      let removed = try await fixture.manager.remove([77])
      #expect(state(removed) == "unknown")
    }
  }
}
