// A published file with damage: sound blocks stay, and the target never gets worse (P1).

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct RepairTests {
  private static let block = Int(BlockSums.block)
  /// Bytes before a joint that are compared (P18).
  private static let overlap = 64 << 10
  private static let size = 5 * block + 1234
  private static let version = FaultServer.Version.named("v1", size: Int64(size))

  /// Fetches the file, and returns its job.
  private func fetched(_ fixture: KitFixture, _ change: (inout JobOptions) -> Void = { _ in }) async throws -> JobID {
    let id = try await fixture.add("/f", Self.version) { options in
      options.maxConnections = 1
      change(&options)
    }
    try #require(try await fixture.run().complete == 1)
    #expect(fixture.difference("f", Self.version) == nil)
    return id
  }

  /// Changes the target in place.
  private func damage(_ fixture: KitFixture, _ places: [Int], length: Int = size) throws {
    var bytes = try #require(fixture.bytes("f"))
    for place in places { bytes[place] ^= 4 }
    bytes = Array(bytes.prefix(length)) + [UInt8](repeating: 9, count: max(0, length - bytes.count))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.path("f")))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  /// The ranges requested after the first fetch.
  private func asked(_ fixture: KitFixture) -> [String?] { Array(fixture.ranges("/f").dropFirst()) }

  @Test(
    arguments: [
      ([2 * block + 5], size, ["bytes=\(2 * block - overlap)-\(3 * block - 1)"]),
      ([0, size - 1], size, ["bytes=0-\(block - 1)", "bytes=\(5 * block - overlap)-\(size - 1)"]),
      ([], 3 * block - 7, ["bytes=\(2 * block - overlap)-"]), ([], size + 100, []),
      ([], 0, [nil]),
    ] as [([Int], Int, [String?])])
  func onlyBadBlocksAreFetched(places: [Int], length: Int, ranges: [String?]) async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, places, length: length)
      let damaged = try #require(fixture.bytes("f"))
      guard case .queued(let missing, let size) = try await fixture.manager.repair(id) else {
        Issue.record("nothing to repair")
        return
      }
      #expect(size == Int64(Self.size) && (missing == 0) == ranges.isEmpty)
      // Until the repair is whole and proved, the old file stays.
      #expect(fixture.bytes("f") == damaged)
      #expect(try await fixture.job(id).state == .queued)
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(asked(fixture) == ranges)
      #expect(try fixture.names == ["f"])
      #expect(try await fixture.manager.repair(id) == .sound)
    }
  }

  /// A repair killed before its job was queued leaves part of a part file, and the next repair makes a new one. A repair
  /// killed later is continued by the next runner.
  @Test func aRepairThatWasCutOffIsBegunAgain() async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, [2 * Self.block])
      let damaged = fixture.bytes("f")
      let part = try await fixture.job(id).partFileName
      try fixture.write([UInt8](repeating: 3, count: 2_000_000), to: part)
      #expect(try await fixture.manager.repair(id) == .queued(missing: Int64(Self.block), size: Int64(Self.size)))
      // During the repair the job is not complete, and must not be claimed.
      await #expect(throws: Failure.self) { try await fixture.manager.repair(id) }
      #expect(fixture.bytes("f") == damaged)
      let other = try fixture.anotherManager()
      _ = try await Run(other).summary()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(try fixture.names == ["f"])
    }
  }

  /// Bytes of the part file that are damaged between the repair and the run are found, too.
  @Test func thePartFileIsLookedAtAgain() async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, [0])
      #expect(try await fixture.manager.repair(id) != .sound)
      let part = try await fixture.job(id).partFileName
      var bytes = try #require(fixture.bytes(part))
      bytes[4 * Self.block + 1] ^= 1
      try fixture.write(bytes, to: part)
      try await fixture.run()
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(
        asked(fixture) == [
          "bytes=0-\(Self.block - 1)", "bytes=\(4 * Self.block - Self.overlap)-\(5 * Self.block + 511)",
        ])
    }
  }

  @Test func whatIsSoundIsLeftAlone() async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      let before = try fixture.identity("f")
      #expect(try await fixture.manager.repair(id) == .sound)
      #expect(try fixture.identity("f") == before)
      #expect(try await fixture.job(id).state == .complete)
      #expect(try fixture.names == ["f"])
    }
  }

  /// Hashes of pieces take precedence over checksums: they do not come from dray itself.
  @Test func piecesAreUsedWhereTheyAreKnown() async throws {
    try await KitFixture.use { fixture in
      let length = 700_000
      let content = Self.version.content
      let hashes = stride(from: 0, to: Self.size, by: length).map { lower in
        KitFixture.sha256(content.bytes(in: Int64(lower)..<Int64(min(lower + length, Self.size))))
      }
      let id = try await fetched(fixture) {
        $0.pieces = PieceHashes(algorithm: .sha256, length: Int64(length), hashes: hashes)
      }
      try damage(fixture, [2 * length + 1])
      #expect(try await fixture.manager.repair(id) == .queued(missing: Int64(length), size: Int64(Self.size)))
      try await fixture.run()
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(asked(fixture) == ["bytes=\(2 * length - Self.overlap)-\(3 * length - 1)"])
    }
  }

  /// Bytes that were wrong when they came: only the pieces that are bad are fetched again.
  @Test func badPiecesOfADownloadAreFetchedAgain() async throws {
    try await KitFixture.use { fixture in
      let content = Self.version.content
      let all = content.bytes(in: 0..<content.size)
      let hashes = stride(from: 0, to: Self.size, by: Self.block).map { lower in
        KitFixture.sha256(Array(all[lower..<min(lower + Self.block, Self.size)]))
      }
      var spoiled = all
      spoiled[3 * Self.block + 9] ^= 1
      let digest = try DigestValue.parse("sha-256=\(KitFixture.sha256(all))")
      let id = try await fixture.add(
        "/f", Self.version, [.changed(to: .init(.fixed(spoiled), etag: Self.version.etag)), .changed(to: Self.version)]
      ) { options in
        options.maxConnections = 1
        options.digest = digest
        options.pieces = PieceHashes(algorithm: .sha256, length: Int64(Self.block), hashes: hashes)
      }
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(fixture.ranges("/f") == [nil, "bytes=\(3 * Self.block - Self.overlap)-\(4 * Self.block - 1)"])
    }
  }

  /// A new version does not repair the old one; the user must request it.
  @Test func anotherVersionIsNotTaken() async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, [7])
      let damaged = fixture.bytes("f")
      let new = FaultServer.Version.named("v2", size: 400_000)
      fixture.server["/f"] = .init(new)
      #expect(try await fixture.manager.repair(id) != .sound)
      let summary = try await fixture.run()
      #expect(summary.statuses == [.integrity])
      #expect(fixture.bytes("f") == damaged)
      #expect(try fixture.names == ["f"])
      let job = try await fixture.job(id)
      #expect(job.state == .complete)
      #expect(job.note?.contains(#"another version of the file now (ETag was "v1" and is "v2")"#) == true)
      try FileManager.default.removeItem(atPath: fixture.path("f"))
      _ = try await fixture.store.retry([id])
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.difference("f", new) == nil)
    }
  }

  /// If the server sends other bytes under the old version's validators, the checksums reveal it: the file stays, and
  /// so does its record.
  @Test(
    arguments: [([2 * block + 5, 4 * block], size), ([0], size), ([], 3 * block), ([], 0)] as [([Int], Int)],
    [false, true])
  func bytesOfAnotherVersionAreNotTaken(damage places: ([Int], Int), isWhole: Bool) async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, places.0, length: places.1)
      let damaged = fixture.bytes("f")
      var other = FaultServer.Version.named("other", size: Int64(Self.size))
      other.etag = Self.version.etag
      var ignoring = FaultServer.Answer.normal
      ignoring.ignoresRange = true
      fixture.server["/f"] = .init(other, script: isWhole ? [ignoring, ignoring] : [])
      #expect(try await fixture.manager.repair(id) != .sound)
      let summary = try await fixture.run()
      #expect(summary.statuses == [.integrity])
      #expect(fixture.bytes("f") == damaged)
      #expect(try fixture.names == ["f"])
      let job = try await fixture.job(id)
      #expect(job.state == .complete && job.checkpoint.validators.etag == Self.version.etag)
      // The server has the right version again. No record was lost, so the repair succeeds.
      fixture.server["/f"] = .init(Self.version)
      #expect(try await fixture.manager.repair(id) != .sound)
      try await fixture.run()
      #expect(fixture.difference("f", Self.version) == nil)
      #expect(try await fixture.manager.repair(id) == .sound)
    }
  }

  /// With a digest another version is not accepted: the old file stays.
  @Test func butNotInThePlaceOfTheOneThatIsWanted() async throws {
    try await KitFixture.use { fixture in
      let content = Self.version.content
      let digest = try DigestValue.parse("sha-256=\(KitFixture.sha256(content.bytes(in: 0..<content.size)))")
      let id = try await fetched(fixture) { $0.digest = digest }
      try damage(fixture, [7])
      let damaged = fixture.bytes("f")
      fixture.server["/f"] = .init(.named("v2", size: 400_000))
      #expect(try await fixture.manager.repair(id) != .sound)
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.bytes("f") == damaged)
      #expect(try fixture.names == ["f"])
    }
  }

  /// A target that was changed after the repair began is not replaced.
  @Test func whatWasChangedMeanwhileIsNotReplaced() async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, [7])
      #expect(try await fixture.manager.repair(id) != .sound)
      try fixture.write("mine".utf8, to: "f")
      try await fixture.run()
      #expect(try await fixture.job(id).note?.contains("since its repair began") == true)
      #expect(fixture.bytes("f") == Array("mine".utf8))
    }
  }

  /// If only the digest is known, the whole file is fetched again.
  @Test func withNothingButADigestAllIsFetched() async throws {
    try await KitFixture.use { fixture in
      let small = FaultServer.Version.named("s", size: 5000)
      let digest = try DigestValue.parse("sha-256=\(KitFixture.sha256(small.content.bytes(in: 0..<5000)))")
      let id = try await fixture.add("/f", small) { $0.digest = digest }
      try await fixture.run()
      #expect(try await fixture.manager.repair(id) == .sound)
      try damage(fixture, [7], length: 5000)
      #expect(try await fixture.manager.repair(id) == .queued(missing: 5000, size: 5000))
      try await fixture.run()
      #expect(fixture.difference("f", small) == nil)
    }
  }

  @Test func whatCannotBeRepairedIsRefused() async throws {
    try await KitFixture.use { fixture in
      func refusal(_ id: JobID) async -> String {
        do {
          return "\(String(describing: try await fixture.manager.repair(id)))"
        } catch {
          return "\(error)"
        }
      }
      #expect(await refusal(99).contains("no such job"))
      let small = try await fixture.add("/s", .named("s", size: 5000))
      #expect(await refusal(small).contains("it is queued"))
      try await fixture.run()
      // It got a digest when it was published.
      #expect(await refusal(small) == "sound")
      try FileManager.default.removeItem(atPath: fixture.path("s"))
      #expect(await refusal(small).contains("it is missing"))
      #expect(try fixture.names.isEmpty)
    }
  }

  /// The permission to replace the target and the proof of the bytes stay together, however a job is continued.
  @Test(arguments: ["retry", "remove and bring back", "ask again"])
  func noOtherVersionTakesItsPlace(_ how: String) async throws {
    try await KitFixture.use { fixture in
      let id = try await fetched(fixture)
      try damage(fixture, [2 * Self.block])
      let damaged = try #require(fixture.bytes("f"))
      #expect(try await fixture.manager.repair(id) != .sound)
      fixture.server["/f"] = .init(.named("v2", size: Int64(Self.size)))
      switch how {
      case "retry":
        // A run was stopped earlier.
        _ = try await fixture.store.pause([id])
        _ = try await fixture.store.resume([id])
        let runner = UUID()
        _ = try await fixture.store.claim(runner: runner, limit: 1, scope: .all, now: 1)
        _ = try await fixture.store.endAttempt(
          id, runner: runner, JobStop(.interrupted), now: 2)
        #expect(try await fixture.manager.retry([id]).first?.result.isDone == true)
        let again = try await fixture.job(id)
        #expect(again.specification.options.repairs != nil && again.published != nil)
      case "remove and bring back":
        let job = try await fixture.job(id)
        _ = try await fixture.manager.remove([id])
        _ = try await fixture.store.restore([job], now: 3)
      default:
        _ = try await fixture.manager.admit([try fixture.specification("/f")])
        #expect(try await fixture.job(id).specification.options.repairs != nil)
      }
      _ = try await fixture.run()
      #expect(fixture.bytes("f") == damaged)
      #expect(try fixture.names == ["f"])
    }
  }
}

extension ControlResult {
  fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
