// A bucket slower than the source: the source is slowed down, and memory stays within --upload-memory.

import FaultServer
import Foundation
import Testing

@Suite("Objects and memory")
struct ObjectMemoryTests {
  /// The memory of parts.
  private static let allowed: Int64 = 32 << 20
  /// The bytes that a connection may have received beyond the memory of parts: a buffer of 512 KiB for writes across
  /// the border of a part, and 64 KiB that libcurl keeps while the connection is paused. The server counts another 64
  /// KiB before it hands them to the system.
  private static let perConnection: Int64 = (512 + 64 + 64) << 10

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
      // The system's buffers grow as far as the machine's settings let them, so their content is not counted: with a
      // busy machine, 13 MB of one connection were in them.
      let fetched = sent - (try SocketBuffers.unread(from: sandbox.server.port))
      // With several connections, a part whose connection has left may keep the others from being sent. One more part
      // then gets memory (UploadRoom).
      let most =
        Self.allowed + (connections > 1 ? ObjectCase.part : 0) + Int64(connections) * Self.perConnection
      #expect(fetched <= most, "\(fetched) bytes were fetched with nothing confirmed, \(Self.allowed) allowed")
      #expect(fetched >= ObjectCase.part, "\(fetched)")
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
