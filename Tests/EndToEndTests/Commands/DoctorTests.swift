// `dray doctor` on this machine.

import FaultServer
import Foundation
import Testing

@Suite("Doctor")
struct DoctorTests {
  @Test("it checks this machine, reports problems, and leaves nothing behind")
  func looks() async throws {
    try await Sandbox.use { sandbox in
      let fine = try await sandbox.dray("doctor")
      expect(fine, exits: 0)
      for check in ["libcurl", "certificates", "directory", "queue", "settings"] {
        #expect(fine.output.contains("good     \(check)"), "\(fine)")
      }
      #expect(sandbox.names(in: sandbox.downloads).isEmpty)

      let lines = try await sandbox.dray("doctor", "--json").output.split(separator: "\n")
      for line in lines {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["check", "level", "message", "advice"])
        #expect(["good", "limited", "bad"].contains(object["level"] as? String))
      }
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      chmod(sandbox.home + "/dray.sqlite", 0o644)
      let bad = try await sandbox.dray("doctor", sandbox.path("missing"))
      expect(bad, exits: 1)
      #expect(bad.output.contains("bad      directory") && bad.output.contains("mode 644"), "\(bad)")
    }
  }

  @Test("--version names the facts that bug reports need")
  func version() async throws {
    try await Sandbox.use { sandbox in
      let version = try await sandbox.dray("--version").output
      #expect(try await sandbox.dray("list", "--version").output == version)
      let words = version.split(separator: "\n").map { $0.prefix { $0 != " " } }
      #expect(words == ["dray", "commit", "libcurl", "SQLite", "schemes:", "features:"])
    }
  }
}
