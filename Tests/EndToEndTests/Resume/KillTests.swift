// Killed again and again before any checkpoint: what was written is not fetched again (P21, R43).
//
// DRAY_KILLS=NUMBER changes the number of kills, DRAY_KILL_SEED=NUMBER repeats the draws.

import DrayCore
import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Killed at random")
struct KillTests {
  private static let kills = ProcessInfo.processInfo.environment["DRAY_KILLS"].flatMap { Int($0) } ?? 3
  private static let seed = TestSeed.value("DRAY_KILL_SEED")
  private static let size: Int64 = 24 << 20
  /// Bytes a second in total.
  private static let rate = 50_000_000
  /// The bytes that a kill may cost each connection: those gathered for a write, and the overlaps at both ends of its
  /// range.
  private static let perConnection = Int64(64 << 10) + 2 * Joint.overlap

  @Test("P21 R43 what was written is kept, checkpoint or not", arguments: [1, 4])
  func kill(connections: Int) async throws {
    try await Sandbox.use(connections: connections) { sandbox in
      var dice = Dice(seed: Self.seed)
      var (kills, files) = (0, 0)
      while kills < Self.kills {
        files += 1
        kills += try await file(files, sandbox, connections, upTo: Self.kills - kills, &dice)
      }
      #expect(sandbox.names(in: sandbox.home + "/journals").isEmpty)
      print("killed: \(connections) connections, \(kills) kills, \(files) files, seed \(Self.seed)")
    }
  }

  /// Fetches one file with at most `limit` kills, and returns their number.
  private func file(
    _ number: Int, _ sandbox: Sandbox, _ connections: Int, upTo limit: Int, _ dice: inout Dice
  ) async throws -> Int {
    let version = Version.named("file \(number)", size: Self.size)
    let path = "/f\(number)"
    sandbox.server[path] = .init(version, script: [Answer { $0.rate = Self.rate / connections }])
    let get = ["get", "-x", "\(connections)", sandbox.server.url(path)]
    // The bytes that no program has read: those in the system's buffers when a program was stopped, and later ones.
    var (kills, unread) = (0, Int64(0))
    while kills < limit {
      let before = sandbox.server.bytesSent(path)
      let stop = before + Int64.random(in: 1 << 20..<6 << 20, using: &dice)
      let program = try sandbox.start(get)
      // A journal begins a moment after the head of an answer.
      try await waitUntil("a kill or the end, seed \(Self.seed)") {
        let isDue = try sandbox.server.bytesSent(path) >= stop && sandbox.journal() != nil
        return program.exit != nil || isDue
      }
      guard program.exit == nil else { break }
      program.send(SIGSTOP)
      try await waitUntil("the program stands still") { program.isStopped || program.exit != nil }
      let (sent, waiting) = try await settled(sandbox.server, path)
      unread += waiting
      try await program.kill9()
      unread += sandbox.server.bytesSent(path) - sent
      kills += 1
    }
    expect(try await sandbox.dray(get), exits: 0)
    #expect(version.content.difference(fromFileAt: sandbox.path("f\(number)")) == nil)
    let again = sandbox.server.bytesSent(path) - Self.size
    let most = Int64(kills) * Int64(connections) * Self.perConnection + unread
    #expect(again <= most, "\(again) bytes again after \(kills) kills, \(unread) unread, seed \(Self.seed)")
    return kills
  }

  /// Waits until a server sends nothing more to a stopped program, because the table of the system's buffers cannot be
  /// read in one moment. Returns the bytes that the server has sent, and those that wait in buffers.
  private func settled(_ server: FaultServer, _ path: String) async throws -> (sent: Int64, waiting: Int64) {
    func look() throws -> (sent: Int64, waiting: Int64) {
      (server.bytesSent(path), try SocketBuffers.unread(from: server.port))
    }
    var last = try look()
    for _ in 0..<100 {
      try await Task.sleep(for: .milliseconds(50))
      let now = try look()
      if now == last { break }
      last = now
    }
    return last
  }

  // MARK: What the next run takes

  /// What happens to the journal between the two runs, and whether its bytes still count.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isTaken: Bool
    let edit: @Sendable (inout JournaledVersion, inout BlockSums, inout [UInt8]?) -> Void
  }

  private static let half: Int64 = 4 << 20

  static let changes: [Change] = [
    Change(testDescription: "none", isTaken: true) { _, _, _ in },
    Change(testDescription: "another boot", isTaken: false) { version, _, _ in version.boot = "another" },
    Change(testDescription: "another job", isTaken: false) { version, _, _ in version.job = UUID() },
    Change(testDescription: "another part file", isTaken: false) { version, _, _ in version.inode += 1 },
    Change(testDescription: "an earlier answer", isTaken: false) { version, _, _ in
      version.answeredAt -= 1
      version.attempt -= 1
      version.validators.etag = "\"earlier\""
    },
    Change(testDescription: "more than the file has", isTaken: true) { _, sums, _ in
      sums.insert(half..<half + 1000, CRC32C(1))
    },
    Change(testDescription: "bytes that differ", isTaken: false) { _, sums, _ in
      let extents = sums.extents
      for extent in extents { sums.insert(extent.segment, CRC32C(extent.sum.value ^ 1)) }
    },
    Change(testDescription: "torn", isTaken: false) { _, _, file in
      file = [UInt8](repeating: 0x5a, count: JournalMemory.size)
    },
    Change(testDescription: "cut", isTaken: false) { _, _, file in file = [1, 2, 3] },
  ]

  @Test("R43 only a journal of the same boot, job, file and version counts", arguments: changes)
  func journals(_ change: Change) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 4 * Self.half)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: Self.half), .normal])
      let get = ["get", sandbox.server.url("/f")]
      let program = try sandbox.start(get)
      let folder = sandbox.home + "/journals"
      try await program.wait(for: "the journal", seconds: 120, every: 0.2) {
        if try sandbox.journal()?.sums.covered.count == Self.half { return true }
        return try await sandbox.kept() == Self.half
      }
      try await program.kill9()
      gate.open()

      let recorded = try #require(try await sandbox.shown(1)).recorded
      if var (version, sums) = try sandbox.journal() {
        var file: [UInt8]?
        change.edit(&version, &sums, &file)
        let path = "\(folder)/\(try #require(sandbox.names(in: folder).first))"
        try Data(file ?? Self.journal(version, sums)).write(to: URL(fileURLWithPath: path))
      }
      expect(try await sandbox.dray(get), exits: 0)
      #expect(version.content.difference(fromFileAt: sandbox.path("f")) == nil)
      let kept = change.isTaken ? Self.half : recorded
      let range = sandbox.server.requests("/f").last?["Range"]
      #expect(range == (kept == 0 ? nil : "bytes=\(kept - Joint.overlap)-"), "\(recorded) bytes were recorded")
      #expect(sandbox.names(in: folder).isEmpty)
    }
  }

  private static func journal(_ version: JournaledVersion, _ sums: BlockSums) throws -> [UInt8] {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: JournalMemory.size, alignment: 4096)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    var journal = JournalMemory(memory)
    #expect(journal.begin(Array(try JSONEncoder().encode(version)), sums.extents))
    return Array(memory)
  }
}
