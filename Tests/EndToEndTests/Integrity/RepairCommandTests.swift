// `dray verify --repair`: only bad blocks are fetched, and the target never gets worse (P1).

import FaultServer
import Foundation
import Testing

@Suite("Repair")
struct RepairCommandTests {
  private static let block: Int64 = 1 << 20
  private static let size = 6 * block + 1000
  private static let version = Version.named("v1", size: size)

  /// Fetches the file and damages it in place.
  private func damaged(_ sandbox: Sandbox, at places: [Int64]) async throws -> [UInt8] {
    sandbox.server["/f"] = .init(Self.version)
    expect(try await sandbox.dray("get", "-x", "1", sandbox.server.url("/f")), exits: 0)
    for place in places { try Sandbox.flip(place, in: sandbox.path("f")) }
    return Array(try Data(contentsOf: URL(fileURLWithPath: sandbox.path("f"))))
  }

  @Test("only the bad blocks are fetched, and a sound file is left alone")
  func repairs() async throws {
    try await Sandbox.use { sandbox in
      _ = try await damaged(sandbox, at: [Self.block + 9, 6 * Self.block])
      let finished = try await sandbox.dray("verify", "--repair", "1")
      expect(finished, exits: 0, saying: "1.0 MiB of 6.0 MiB will be fetched again")
      #expect(finished.output.hasPrefix("REPAIRED  "))
      sandbox.expectFiles(["f": Self.version.content], finished)
      let asked = sandbox.server.requests("/f").dropFirst()
      #expect(
        asked.map { $0["Range"] } == [
          "bytes=\(Self.block - Joint.overlap)-\(2 * Self.block - 1)",
          "bytes=\(6 * Self.block - Joint.overlap)-\(Self.size - 1)",
        ])
      #expect(asked.allSatisfy { $0["If-Range"] == "\"v1\"" })
      func sent() -> Int64 { sandbox.server.requests("/f").dropFirst().reduce(0) { $0 + $1.bodySent } }
      try await waitUntil("the server's count of what it sent") { sent() >= Self.block + 1000 + 131_072 }
      #expect(sent() == Self.block + 1000 + 131_072)
      let again = try await sandbox.dray("verify", "--repair", sandbox.path("f"))
      expect(again, exits: 0)
      #expect(again.output.hasPrefix("OK  "))
      #expect(sandbox.server.requests("/f").count == 3)
    }
  }

  @Test("P1 killed in the middle of a repair: the target is unchanged, and the next run completes the repair")
  func killed() async throws {
    try await Sandbox.use { sandbox in
      let before = try await damaged(sandbox, at: [0])
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 300_000), .normal])
      let program = try sandbox.start(["verify", "--repair", "1"])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await program.kill9()
      gate.open()
      #expect(try Array(Data(contentsOf: URL(fileURLWithPath: sandbox.path("f")))) == before)
      #expect(try await sandbox.onlyJob().state == "interrupted")
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], finished)
    }
  }

  @Test("a file that cannot be repaired is refused, with advice")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/s"] = .init(.named("s", size: 5000))
      expect(try await sandbox.dray("get", sandbox.server.url("/s")), exits: 0)
      expect(try await sandbox.dray("verify", "--repair", "7"), exits: 2, saying: "no such job")
      try sandbox.write("mine", to: "mine")
      expect(
        try await sandbox.dray("verify", "--repair", sandbox.path("mine")), exits: 2, saying: "no job fetched this file"
      )
      expect(
        try await sandbox.dray("verify", "--repair", "--record", "1"), exits: 2, saying: "--repair")
    }
  }
}
