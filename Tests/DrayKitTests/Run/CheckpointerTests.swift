// A checkpoint that was given up stays given up.

import DrayStore
import FaultServer
import Foundation
internal import Posix
import StoreTesting
import Testing
import Threads

@testable import DrayEngine
@testable import DrayKit

@Suite struct CheckpointerTests {
  @Test("P4 the next checkpoint begins soon enough for a byte that has waited to be written")
  func interval() {
    // BodyWriterTests says how long that may take.
    #expect(Heartbeat.checkpointInterval + Heartbeat.interval <= 1.2)
  }

  /// Given up as a whole or in part: a later beat finds nothing to record.
  @Test("P2 forgotten bytes are not recorded again by the next beat", arguments: [true, false])
  func forgottenForGood(isWhole: Bool) async throws {
    try await KitFixture.use { fixture in
      let (job, checkpointer, transfer, _) = try await fetched(fixture)
      let id = job.id
      #expect(try await checkpointer.record([(id, transfer)])[id] != nil)

      let good = SegmentSet(0..<1000)
      if isWhole {
        try await checkpointer.forget(id, of: transfer, hasSeeds: false, note: nil)
      } else {
        #expect(try await checkpointer.reduce(id, to: good, of: transfer, or: job.checkpoint))
      }
      #expect(try await checkpointer.record([(id, transfer)]).isEmpty)
      #expect(try await fixture.job(id).checkpoint.segments == (isWhole ? SegmentSet() : good))
    }
  }

  /// Neither as a whole nor in part, even if later syncs report success.
  @Test("P4 P12 after a failed sync nothing is recorded")
  func lost() async throws {
    try await KitFixture.use { fixture in
      let (job, checkpointer, transfer, part) = try await fetched(fixture)
      // Like the sync of a publish, on its thread.
      try withoutDisk(part.file.descriptor) { #expect(throws: Failure.self) { try part.sync() } }
      #expect(try await checkpointer.record([(job.id, transfer)]).isEmpty)
      #expect(try await !checkpointer.reduce(job.id, to: SegmentSet(0..<1000), of: transfer, or: job.checkpoint))
      #expect(try await fixture.job(job.id).checkpoint.segments.isEmpty)
    }
  }

  @Test("P4 the bytes left after giving some up are durable before they are recorded", arguments: [true, false])
  func givenUp(isRecorded: Bool) async throws {
    try await KitFixture.use { fixture in
      let (job, checkpointer, transfer, part) = try await fetched(fixture)
      if isRecorded { _ = try await checkpointer.record([(job.id, transfer)]) }
      var checkpoint = try #require(try transfer.checkpoint())
      checkpoint.segments = SegmentSet(0..<1000)
      try withoutDisk(part.file.descriptor) { #expect(throws: Failure.self) { try part.sync() } }
      try await checkpointer.giveUp(job.id, to: checkpoint, in: part)
      // Durable bytes stay durable.
      #expect(try await fixture.job(job.id).checkpoint.segments == (isRecorded ? SegmentSet(0..<1000) : SegmentSet()))
    }
  }

  /// A job whose file is present but not yet recorded.
  private func fetched(_ fixture: KitFixture) async throws -> (Job, Checkpointer, Transfer, LocalPart) {
    let (id, runner, store) = (try await fixture.add("/f", .sample), UUID(), fixture.store)
    let job = try #require(try await store.claim(runner: runner, limit: 1, scope: .all, now: WallClock.now()).first)
    let checkpointer = Checkpointer(store: fixture.store, runner: runner)
    let destinations = DestinationCache(fixture.manager.destinations)
    let look = try await AttemptPlan.make(job, CookieKeeper(home: nil, store: nil), destinations)
    guard case .transfer(let plan) = look else { throw Unexpected() }
    let watcher = TransferWatcher(
      id: id, emit: { _ in }, redirected: { _ in }, answered: { _, _ in }, checkpointer: checkpointer)
    let transfer = try await fixture.manager.engine().engine.start(plan, observer: watcher)
    guard case .whole(let part, _, _) = await transfer.outcome().end else { throw Unexpected() }
    return (job, checkpointer, transfer, try #require(part as? LocalPart))
  }

  private struct Unexpected: Error {}
}
