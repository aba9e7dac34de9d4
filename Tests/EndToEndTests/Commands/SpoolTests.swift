// Leftovers of a killed `-o -`, and the command that finds them: P5.

import FaultServer
import Foundation
import Testing

@Suite("Spool")
struct SpoolTests {
  @Test("P5 clean removes the spool of a killed -o -, and not one that is in use")
  func killed() async throws {
    try await Sandbox.use { sandbox in
      let gate = FaultServer.Gate()
      sandbox.server["/f"] = .init(.named("v1", size: 200_000), script: [.held(by: gate, after: 100_000)])
      let temporary = sandbox.temporary
      func spools() -> [String] { sandbox.names(in: temporary).sorted() }
      let program = try sandbox.start(["get", "-o", "-", sandbox.server.url("/f")])
      try await program.wait(for: "the part file") {
        spools().contains { !sandbox.names(in: temporary + "/" + $0).isEmpty }
      }
      // Old enough to count as abandoned.
      let spool = temporary + "/" + (try #require(spools().first))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: spool)
      try FileManager.default.createDirectory(atPath: temporary + "/dray.other", withIntermediateDirectories: true)
      expect(try await sandbox.dray("clean"), exits: 0, saying: "0 part files")
      #expect(spools().count == 2)

      try await program.kill9()
      let finished = try await sandbox.dray("clean")
      expect(finished, exits: 0, saying: "1 part file")
      #expect(finished.output.contains(spool), "\(finished)")
      #expect(spools() == ["dray.other"])
      gate.open()
    }
  }
}
