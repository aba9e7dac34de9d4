// Bytes that the disk lost: Linux reports this to an open file once, and success from then on.

import FaultServer
import Foundation
import Testing

@Suite("Lost writes")
struct LostWriteTests {
  private static let loss = Crash.losing("fdatasync:.part")

  @Test("P12 D3 a publish whose sync failed records nothing: bytes since the last checkpoint are fetched again")
  func atThePublish() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal, .normal])
      let get = ["get", sandbox.server.url("/f")]
      _ = try await sandbox.runHalf(get, gate: gate, bytes: ResumeCase.half, stop: .interrupt)
      let (failed, _) = try await sandbox.dray(get, until: Self.loss)
      expect(failed, exits: 3, saying: "fdatasync: Input/output error")
      sandbox.expectOnlyPartFile(failed)
      #expect(try await sandbox.onlyJob().received == ResumeCase.half, "\(failed)")
      let again = try await sandbox.dray(get)
      expect(again, exits: 0)
      sandbox.expectFiles(["f": version.content], again)
      let ranges = sandbox.server.requests("/f").map { $0["Range"] }
      #expect(
        ranges == [nil, "bytes=\(ResumeCase.half - Joint.overlap)-", "bytes=\(ResumeCase.half - Joint.overlap)-"])
    }
  }

  @Test("P4 D3 a failed sync of a checkpoint ends the attempt, and no later one records the lost bytes")
  func atACheckpoint() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/f")]
      let added = try Self.loss.environment(log: sandbox.root + "/streams/loss")
      let program = try sandbox.start(get) { launch in launch.environment.merge(added) { $1 } }
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      // Time for the failing sync, and for another one.
      try await Task.sleep(for: .seconds(4))
      gate.open()
      let failed = try await program.finish()
      expect(failed, exits: 3, saying: "fdatasync: Input/output error")
      #expect(!sandbox.names().contains("f"), "\(failed)")
      let again = try await sandbox.dray(get)
      expect(again, exits: 0)
      sandbox.expectFiles(["f": version.content], again)
      #expect(sandbox.server.requests("/f").map { $0["Range"] } == [nil, nil])
    }
  }

  @Test("D3 a file whose new name may not be on the disk is not shown as running while the run lasts")
  func atTheDirectory() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(ResumeCase.v1)
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let added = try Crash.losing("fsync:/downloads").environment(log: sandbox.root + "/streams/loss")
      let run = try sandbox.start(["run", "--wait"]) { launch in launch.environment.merge(added) { $1 } }
      try await run.wait(for: "the end of the job", every: 0.1) { try await sandbox.onlyJob().state == "interrupted" }
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "fsync: Input/output error")
      run.send(SIGINT)
      expect(try await run.finish(), exits: 130)
      let again = try await sandbox.dray("run")
      expect(again, exits: 0)
      sandbox.expectFiles(["f": ResumeCase.v1.content], again)
      #expect(try await sandbox.onlyJob().state == "complete")
      #expect(sandbox.server.requests("/f").count == 1)
    }
  }
}

extension Crash {
  /// No crash: the first sync of that name fails.
  fileprivate static func losing(_ name: String) -> Crash {
    var crash = Crash()
    crash.loses = name
    return crash
  }
}
