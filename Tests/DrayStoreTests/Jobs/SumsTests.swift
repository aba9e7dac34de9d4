// Checksums of blocks in the store: recorded and removed with the claims that they belong to.

import DrayCore
import Foundation
import SQLite
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct SumsTests {
  private let state = TemporaryState()
  private let store: SQLiteStore
  private let runner = UUID()
  private let id: JobID

  init() async throws {
    store = try state.open()
    id = try await store.makeJob("a", in: .active, runner: runner)
  }

  private func checkpoint(blocks: Int64) -> Checkpoint {
    var sums = BlockSums()
    for index in 0..<blocks {
      sums.insert(index * BlockSums.block..<(index + 1) * BlockSums.block, CRC32C(UInt32(index + 1)))
    }
    return Checkpoint(segments: SegmentSet(0..<blocks * BlockSums.block), sums: sums)
  }

  @Test func theyAreRecordedInFullAndThenWhatCame() async throws {
    let (first, second, third) = (checkpoint(blocks: 300), checkpoint(blocks: 310), checkpoint(blocks: 320))
    _ = try await store.checkpoint([(id, first)], runner: runner)
    #expect(try await store.sums(of: id) == first.sums)
    for later in [second, third] {
      _ = try await store.checkpoint([(id, later)], since: [id: first.sums.mark], runner: runner)
      #expect(try await state.open().sums(of: id) == later.sums)
    }
    let sizes = try await store.access { db in
      (
        try Int.fetchOne(db, sql: "SELECT length(sums) FROM block_sums") ?? 0,
        try Int.fetchOne(db, sql: "SELECT length(sums) FROM recent_sums") ?? 0
      )
    }
    #expect(sizes.0 > 2000 && sizes.1 < 200)
    _ = try await store.checkpoint([(id, first)], runner: runner)
    #expect(try await store.sums(of: id) == first.sums)
  }

  @Test func nothingIsRecordedWithoutTheLease() async throws {
    #expect(try await store.checkpoint([(id, checkpoint(blocks: 1))], runner: UUID()).isEmpty)
    #expect(try await store.sums(of: id).isEmpty)
  }

  /// Forgetting claims also forgets their checksums.
  @Test(arguments: ["forgotten", "failed", "retried", "removed", "nothing is known any more"])
  func theyGoWithTheClaims(how: String) async throws {
    _ = try await store.checkpoint([(id, checkpoint(blocks: 3))], runner: runner)
    _ = try await store.checkpoint([(id, checkpoint(blocks: 4))], since: [id: 3], runner: runner)
    switch how {
    case "forgotten":
      _ = try await store.forgetCheckpoint(id, runner: runner, note: nil)
    case "failed":
      _ = try await store.endAttempt(
        id, runner: runner, JobStop(.failed), now: 1)
    case "retried":
      _ = try await store.endAttempt(
        id, runner: runner, JobStop(.interrupted), now: 1)
      #expect(try await !store.sums(of: id).isEmpty)
      _ = try await store.retry([id])
    case "removed":
      _ = try await store.removeOwned(id, runner: runner)
    default:
      _ = try await store.checkpoint([(id, Checkpoint(segments: SegmentSet(0..<9)))], runner: runner)
    }
    #expect(try await store.sums(of: id).isEmpty)
    let rows = try await store.access { db in
      try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM block_sums) + (SELECT count(*) FROM recent_sums)")
    }
    #expect(rows == 0)
  }

  /// The checksums of a published file stay with its job.
  @Test func theyStayWithTheTarget() async throws {
    let sums = checkpoint(blocks: 5).sums
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)
    let intent = PublishIntent(id: id, identity: identity, fileName: "n", sums: sums)
    #expect(try await store.beginPublishing([intent], runner: UUID(), now: 8) == [.lost])
    #expect(try await store.sums(of: id).isEmpty)
    #expect(try await store.beginPublishing([intent], runner: runner, now: 8) == [.granted("n")])
    _ = try await store.finish([.sample(id)], runner: runner, now: 9)
    #expect(try await store.sums(of: id) == sums)
    try await store.recheck([(id, try #require(try await store.job(id)).specification)])
    #expect(try await store.sums(of: id).isEmpty)
  }

  @Test func whatCannotBeReadIsNothing() async throws {
    _ = try await store.checkpoint([(id, checkpoint(blocks: 3))], runner: runner)
    try await store.write(.durable) { db in try db.execute(sql: "UPDATE block_sums SET sums = x'01ff'") }
    #expect(try await store.sums(of: id).isEmpty)
  }
}
