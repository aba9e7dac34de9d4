// A bucket slower than the source: the source is slowed down, and memory stays within --upload-memory.

import FaultServer
import Foundation
import Testing

@Suite("Objects and memory")
struct ObjectMemoryTests {
  /// The memory of parts.
  private static let allowed: Int64 = 32 << 20
  /// The maximum size of the system's buffers of one connection, in addition to the program's: by default, tcp_rmem lets
  /// the receiver have 6 MiB, and tcp_wmem the sender 4.
  private static let buffers: Int64 = 10 << 20

  /// Waits until a value stays within `slack` for three seconds, at most a minute.
  private static func settled(
    within slack: Int64 = 0, _ value: () throws -> Int64
  ) async throws -> (last: Int64, isStill: Bool) {
    var (last, quiet) = (try value(), 0)
    for _ in 0..<120 where quiet < 6 {
      try await Task.sleep(for: .milliseconds(500))
      let now = try value()
      quiet = abs(now - last) <= slack ? quiet + 1 : 0
      last = now
    }
    return (last, quiet >= 6)
  }

  @Test("a bucket that does not answer slows the source down, and its memory is bounded", arguments: [1, 4])
  func bounded(_ connections: Int) async throws {
    try await ObjectCase.use { sandbox, bucket in
      let version = Version.named("v1", size: 200 << 20)
      let gate = Gate()
      defer { gate.open() }
      let get = [
        "get", "-x", "\(connections)", "--upload-memory", "32M", "-o", "s3://bucket/f", sandbox.server.url("/f"),
      ]
      let program = try await sandbox.startHeld(get, by: bucket, gate: gate, taken: 0, version: version)
      let (sent, isStill) = try await Self.settled { sandbox.server.bytesSent("/f") }
      #expect(isStill, "the source continues at \(sent) bytes, and no part has been confirmed")
      let most = Self.allowed + Int64(connections) * Self.buffers
      #expect(sent <= most, "\(sent) bytes were fetched with nothing confirmed, \(Self.allowed) allowed")
      #expect(sent >= ObjectCase.part, "\(sent)")
      let held = try #require(Footprint(of: program.pid))
      #expect(Int64(held.memory) <= Self.allowed + (48 << 20), "\(held)")

      gate.open()
      let (finished, looks) = try await program.finish(seconds: patience, lookingEvery: 0.05) { 0 }
      expect(finished, exits: 0)
      let peak = Footprint.peak(looks.map(\.footprint))
      #expect(Int64(peak.memory) <= Self.allowed + (48 << 20), "\(peak)")
      bucket.expectObjects(["f": version.content], finished)
    }
  }

  @Test("files whose sources are slow share the memory, although none of their parts is full")
  func slowFiles() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      let count = 16
      for number in 0..<count {
        // Almost a whole part, and then nothing for a while.
        sandbox.server["/f\(number)"] = .init(ObjectCase.v1, script: [.held(by: gate, after: 7 << 20), .normal])
      }
      let urls = (0..<count).map { sandbox.server.url("/f\($0)") }
      let program = try sandbox.start(
        ["get", "-j", "\(count)", "--max-per-host", "\(count)", "-x", "1", "--upload-memory", "32M"]
          + ["-d", "s3://bucket/"] + urls)
      // Four files fit, and a fifth one may lie above the limit; the others wait.
      try await program.wait(for: "files that fill the memory", seconds: 120) { gate.arrivals >= 4 }
      let (memory, _) = try await Self.settled(within: 1 << 20) {
        Int64(try #require(Footprint(of: program.pid)).memory)
      }
      #expect(memory <= Self.allowed + ObjectCase.part + (48 << 20), "\(memory)")
      gate.open()
      let finished = try await program.finish(seconds: patience)
      expect(finished, exits: 0)
      bucket.expectObjects(
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("f\($0)", ObjectCase.v1.content) }), finished)
    }
  }

  @Test("Ctrl-C ends a run whose bucket hangs, and the next run continues")
  func hangs() async throws {
    try await ObjectCase.use { sandbox, bucket in
      let gate = Gate()
      defer { gate.open() }
      let get = ObjectCase.get(sandbox)
      let program = try await sandbox.startHeld(get, by: bucket, gate: gate)
      program.send(SIGINT)
      expect(try await program.finish(seconds: 60), exits: 130)
      bucket.behave()
      gate.open()
      let again = try await sandbox.dray(get)
      expect(again, exits: 0)
      bucket.expectObjects(["f": ObjectCase.v1.content], again)
    }
  }
}
