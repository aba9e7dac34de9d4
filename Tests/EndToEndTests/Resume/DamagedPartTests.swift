// A part file with some changed bytes: only their blocks are lost, not the file (R27, Q2).

import FaultServer
import Foundation
import Testing

@Suite("Damaged part file")
struct DamagedPartTests {
  private static let block: Int64 = 1 << 20
  private static let size = 8 * block
  /// Where the first run is stopped: in the middle of a block.
  private static let half = 5 * block + 123_456
  private static let joint = Joint.overlap
  private static let version = FaultServer.Version.named("v1", size: size)

  /// The damage to the part file, and the ranges to be fetched again.
  struct Case: Sendable, CustomTestStringConvertible {
    var what: String
    var stop = Stop.interrupt
    var flips: [Int64] = []
    var zeros: Range<Int64>?
    var asked: [Range<Int64>]

    var testDescription: String { "\(what), \(stop)" }
  }

  static let cases: [Case] = [Stop.interrupt, .kill].flatMap { stop in
    [
      Case(what: "nothing", stop: stop, asked: [half - joint..<size]),
      Case(what: "the last byte is flipped", stop: stop, flips: [half - 1], asked: [5 * block - joint..<size]),
      Case(what: "zeros at the end", stop: stop, zeros: half - 10_000..<half, asked: [5 * block - joint..<size]),
      Case(
        what: "zeros over the end of two blocks", stop: stop, zeros: 5 * block - 5..<half,
        asked: [4 * block - joint..<size]),
      Case(
        what: "a bit in the middle", stop: stop, flips: [2 * block + 77],
        asked: [2 * block - joint..<3 * block, half - joint..<size]),
      Case(
        what: "the first byte and the last", stop: stop, flips: [0, half - 1],
        asked: [0..<block, 5 * block - joint..<size]),
      Case(what: "zeros all over", stop: stop, zeros: 0..<half, asked: [0..<size]),
    ]
  }

  @Test("R27 only the bad blocks are fetched again", arguments: cases)
  func badBlocks(_ row: Case) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: Self.half), .normal])
      let get = ["get", sandbox.server.url("/f"), "-x", "1"]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: Self.half, stop: row.stop)
      #expect(job.received == Self.half)
      let part = try #require(job.partFile)
      for place in row.flips { try Sandbox.flip(place, in: part) }
      if let zeros = row.zeros {
        try Sandbox.overwrite([UInt8](repeating: 0, count: zeros.count), at: zeros.lowerBound, in: part)
      }

      let before = sandbox.server.requests("/f").count
      let second = try await sandbox.dray(get)
      expect(second, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], second)
      let asked = sandbox.server.requests("/f").dropFirst(before)
      #expect(asked.map { Self.range($0, Self.size) } == row.asked, "\(second)")
      let isSound = row.flips.isEmpty && row.zeros == nil
      #expect(second.errors.contains("are damaged") == (!isSound && row.asked != [0..<Self.size]))
      #expect(second.errors.contains("started over") == (row.asked == [0..<Self.size]))
    }
  }

  /// Older bytes are checked only if the newest ones are bad.
  @Test("Q2 one bad block at the end triggers a check of all blocks")
  func allAreLookedAt() async throws {
    try await Sandbox.use { sandbox in
      let size = 80 * Self.block
      let half = 75 * Self.block
      let version = FaultServer.Version.named("v1", size: size)
      let gate = Gate()
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: half), .normal])
      let get = ["get", sandbox.server.url("/f"), "-x", "1"]
      let program = try sandbox.start(get)
      try await program.wait(for: "a checkpoint of all that came", seconds: 120, every: 0.1) {
        try await sandbox.recorded() >= half
      }
      try await program.kill9()
      gate.open()
      let part = try #require(try await sandbox.onlyJob().partFile)
      try Sandbox.flip(3 * Self.block, in: part)
      try Sandbox.flip(74 * Self.block, in: part)
      let before = sandbox.server.requests("/f").count
      let second = try await sandbox.dray(get, seconds: 120)
      expect(second, exits: 0, saying: "2.0 MiB of the part file are damaged")
      sandbox.expectFiles(["f": version.content], second)
      let asked = sandbox.server.requests("/f").dropFirst(before).map { Self.range($0, size) }
      let starts = [3 * Self.block - Self.joint, 74 * Self.block - Self.joint]
      #expect(asked == [starts[0]..<4 * Self.block, starts[1]..<size])
    }
  }

  @Test(
    "Q2 killed with several connections open, and each segment damaged: the file is whole, little is requested again"
  )
  func severalConnections() async throws {
    try await Sandbox.use { sandbox in
      // When each of eight connections has a block, a minute is left: bytes are missing whenever the test looks.
      let size = 40 * Self.block
      let version = FaultServer.Version.named("v1", size: size)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 64 << 10 }])
      let get = ["get", sandbox.server.url("/f"), "-x", "8"]
      let program = try sandbox.start(get)
      try await program.wait(for: "several segments, and a whole block of one", seconds: 120, every: 0.2) {
        let segments = try await sandbox.shown(1)?.segments ?? []
        return segments.count > 1 && segments.contains { $0.count > Self.block }
      }
      try await program.kill9()
      let job = try await sandbox.onlyJob()
      let segments = try #require(try await sandbox.shown(job.id)).segments
      let part = try #require(job.partFile)
      for segment in segments { try Sandbox.flip(segment.upperBound - 1, in: part) }
      let before = sandbox.server.requests("/f").count

      sandbox.server["/f"] = .init(version)
      let second = try await sandbox.dray(get, seconds: 120)
      expect(second, exits: 0, saying: "of the part file are damaged")
      sandbox.expectFiles(["f": version.content], second)
      let asked = sandbox.server.requests("/f").dropFirst(before)
      #expect(asked.allSatisfy { $0.status == 206 && $0["If-Range"] == "\"v1\"" })
      // The last block of each segment is fetched again, and nothing before it.
      let good = segments.map { $0.lowerBound..<max($0.lowerBound, ($0.upperBound - 1) / Self.block * Self.block) }
      for request in asked {
        let range = Self.range(request, size)
        // Except for the overlaps at the ends of the gap.
        let fetched = min(range.upperBound, range.lowerBound + Joint.overlap)..<range.upperBound
        #expect(
          !good.contains { max($0.lowerBound, fetched.lowerBound) + 512 < min($0.upperBound, fetched.upperBound) },
          "\(range) of \(segments)")
      }
    }
  }

  // MARK: -

  /// The requested range of a file of `size` bytes.
  private static func range(_ request: SeenRequest, _ size: Int64) -> Range<Int64> {
    let ends = request["Range"]?.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard let ends, ends.count == 2, let lower = Int64(ends[0]) else { return 0..<size }
    return lower..<(Int64(ends[1]).map { $0 + 1 } ?? size)
  }
}
