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
  private func midway(_ body: (House, Run, JobID) async throws -> Void) async throws {
    try await House.use { house in
      let gate = FaultServer.Gate()
      let id = try await house.add("/f", .sample, [.held(by: gate, after: 200_000), .normal])
      let run = try await Run(house.manager)
      try #require(await run.hasReceived(200_000, of: id))
      try await body(house, run, id)
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
    try await midway { house, run, id in
      let manager = byAnother ? try house.anotherManager() : house.manager
      _ = try await manager.pause([id])
      let summary = try await run.summary()
      #expect((summary.interrupted, summary.exitStatus) == (1, .success))
      #expect(run.story(id).last == "paused")
      let job = try await house.job(id)
      #expect(job.state == .paused)
      #expect(job.checkpoint.segments == SegmentSet(0..<200_000))

      // A run leaves it alone.
      try await house.run()
      #expect(house.server.requests("/f").count == 1)
      let outcome = try await house.manager.resume([id])
      #expect(state(outcome) == "done")
      try await house.run()
      #expect(house.ranges("/f") == [nil, "bytes=175000-"])
      #expect(house.difference("f", .sample) == nil)
    }
  }

  @Test func removeTakesTheBytesAlong() async throws {
    try await midway { house, run, id in
      _ = try await house.anotherManager().remove([id])
      _ = try await run.summary()
      #expect(run.story(id).last == "removed")
      #expect(try await house.store.job(id) == nil)
      #expect(try house.names.isEmpty)
    }
  }

  @Test func retryStartsOver() async throws {
    try await midway { house, run, id in
      let outcome = try await house.anotherManager().retry([id])
      #expect(state(outcome) == "asked")
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(house.ranges("/f") == [nil, nil])
      #expect(house.difference("f", .sample) == nil)
      #expect(try house.names == ["f"])
    }
  }

  @Test func aFreshLinkGoesOnWithTheBytes() async throws {
    try await midway { house, run, id in
      house.server["/fresh"] = .init(.sample)
      let url = try RequestURL.parse(house.server.url("/fresh")).url
      _ = try await house.anotherManager().setURL(id, url)
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(
        house.ranges("/fresh") == [
          "bytes=175000-", "bytes=0-65535", "bytes=67232-132767", "bytes=134464-174999", "bytes=175000-",
        ])
      #expect(house.difference("f", .sample) == nil)
      #expect(try await house.job(id).specification.request.url == url)
    }
  }

  @Test func aFreshLinkToAnotherVersionStartsOver() async throws {
    try await midway { house, run, id in
      let other = FaultServer.Version.named("v2", size: 250_000)
      house.server["/fresh"] = .init(other)
      _ = try await house.anotherManager().setURL(id, try RequestURL.parse(house.server.url("/fresh")).url)
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(run.story(id).contains("restarted"))
      #expect(house.difference("f", other) == nil)
    }
  }

  @Test func stopMakesWhatIsHereDurable() async throws {
    try await midway { house, run, id in
      run.runner.stop()
      let summary = try await run.summary()
      #expect((summary.interrupted, summary.exitStatus) == (1, .success))
      #expect(run.events(id).last == .interrupted(nil))
      let job = try await house.job(id)
      #expect(job.state == .interrupted)
      #expect(job.runner == nil)
      #expect(job.checkpoint.segments == SegmentSet(0..<200_000))
      #expect(job.checkpoint.size == 300_000)
      #expect(house.bytes(job.partFileName) == FaultServer.Version.sample.content.bytes(in: 0..<200_000))
      #expect(try await house.store.livingRunners().isEmpty)

      try await house.run()
      #expect(house.ranges("/f").last == "bytes=175000-")
      #expect(house.difference("f", .sample) == nil)
      #expect(try house.names == ["f"])
    }
  }

  /// A power cut during or after the transfer finds a checkpoint (P4).
  @Test func checkpointsAreWrittenWhileItRuns() async throws {
    try await midway { house, run, id in
      try #require(try await eventually { try await house.job(id).checkpoint.segments.prefix > 0 })
      let claimed = try await house.job(id).checkpoint.segments.prefix
      let bytes = try #require(house.bytes(try await house.job(id).partFileName))
      #expect(Int64(bytes.count) >= claimed)
      #expect(bytes.prefix(Int(claimed)).elementsEqual(FaultServer.Version.sample.content.bytes(in: 0..<claimed)))
      run.runner.stop()
      _ = try await run.summary()
    }
  }

  @Test func aFailedJobIsRetriedFromNothing() async throws {
    try await House.use { house in
      let id = try await house.add("/f", .sample, [.status(404), .normal])
      try await house.run()
      #expect(try await house.job(id).state == .failed)
      let resumed = try await house.manager.resume([id])
      #expect(state(resumed) == "it has failed; a retry of job \(id) starts it over")
      let retried = try await house.manager.retry([id])
      #expect(state(retried) == "done")
      try await house.run()
      #expect(house.difference("f", .sample) == nil)
    }
  }

  @Test func whatIsNotThereIsUnknown() async throws {
    try await House.use { house in
      let paused = try await house.manager.pause([77])
      #expect(state(paused) == "unknown")
      let removed = try await house.manager.remove([77])
      #expect(state(removed) == "unknown")
    }
  }
}
