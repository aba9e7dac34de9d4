// A claim that was given up stays given up.

import DrayEngine
import Foundation
import Testing

@testable import DrayKit

@Suite struct CheckpointerTests {
  /// Whether the version was given up as a whole, or in part: a beat that comes later finds nothing to claim.
  @Test("P2 what was forgotten of a transfer is not claimed again by the next beat", arguments: [true, false])
  func forgottenForGood(isWhole: Bool) async throws {
    try await House.use { house in
      let (id, runner, store) = (try house.add("/f", .sample), UUID(), house.manager.store)
      let job = try #require(try store.claim(runner: runner, limit: 1, scope: .all, now: WallClock.now()).first)
      let checkpointer = Checkpointer(store: store, runner: runner)
      let look = try AttemptPlan.make(job, CookieKeeper(home: nil, store: nil), DirectoryCache())
      guard case .transfer(let plan) = look else { throw Unexpected() }
      let watcher = TransferWatcher(id: id, emit: { _ in }, answered: { _, _ in }, checkpointer: checkpointer)
      let transfer = try house.manager.engine().start(plan, observer: watcher)
      _ = await transfer.outcome()
      #expect(try await checkpointer.record([(id, transfer)])[id] != nil)

      let good = SegmentSet(0..<1000)
      if isWhole {
        try await checkpointer.forget(id, of: transfer, note: nil)
      } else {
        try await checkpointer.reduce(id, to: good, of: transfer, or: job.checkpoint)
      }
      #expect(try await checkpointer.record([(id, transfer)]).isEmpty)
      #expect(try house.job(id).checkpoint.segments == (isWhole ? SegmentSet() : good))
    }
  }

  private struct Unexpected: Error {}
}
