// FTP, against the real server from Debian.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("FTP with vsftpd", .needs(.root))
struct VsftpdTests {
  static let version = Version.named("v1", size: 6 << 20)

  private func serve(_ body: (Sandbox, RealServer, String) async throws -> Void) async throws {
    try await Sandbox.use { sandbox in
      let server = try await RealServer(.vsftpd, in: sandbox)
      try server.put("file.bin", Self.version.content)
      try await body(sandbox, server, "ftp://127.0.0.1:\(server.port)/file.bin")
    }
  }

  @Test("a file is fetched, and info shows it")
  func fetched() async throws {
    try await serve { sandbox, _, url in
      let look = try await sandbox.dray("info", url)
      expect(look, exits: 0)
      for part in ["\(6 << 20) bytes", "Tue, 14 Nov 2023 22:13:20 GMT", "yes: ranges"] {
        #expect(look.output.contains(part), "\(look)")
      }
      #expect(!look.output.contains("HTTP"), "\(look)")
      expect(try await sandbox.dray("get", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      expect(try await sandbox.dray("get", url), exits: 0, saying: "already complete")
    }
  }

  @Test("after kill -9 it continues from what was written", arguments: [Stop.kill, .interrupt])
  func resumed(stop: Stop) async throws {
    try await serve { sandbox, server, url in
      _ = try await sandbox.runSlowly(["get", url], stop: stop)
      let kept = try await sandbox.kept()
      sandbox.expectOnlyPartFile()
      #expect(kept > 64 << 10 && kept < 6 << 20)

      let again = try await sandbox.dray("get", "--progress", "json", url)
      expect(again, exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
      #expect(server.log.contains("\"REST \(kept - Joint.overlap)\""), "kept \(kept): \(server.log.suffix(2000))")
      // The server's count of sent bytes: at most the missing bytes and the overlap before them.
      #expect(
        server.log.contains("\((6 << 20) - kept + Joint.overlap) bytes"), "kept \(kept): \(server.log.suffix(2000))")
    }
  }

  @Test("a file that changed starts over", arguments: [("time", 0.0), ("size", 1.0)])
  func changed(what: String, extra: Double) async throws {
    try await serve { sandbox, server, url in
      #expect(try await sandbox.runSlowly(["get", url], stop: .interrupt).received > 0)
      let other = Version.named("v2", size: (6 << 20) + Int64(extra))
      try server.put("file.bin", other.content, time: 1_700_000_000 + (what == "time" ? 1 : 0))
      expect(try await sandbox.dray("get", url), exits: 0, saying: "start")
      sandbox.expectFiles(["file.bin": other.content])
    }
  }

  @Test("an empty file, a missing file, and a refused login")
  func others() async throws {
    try await serve { sandbox, server, url in
      try server.put("empty", .fixed([UInt8]()))
      let base = "ftp://127.0.0.1:\(server.port)"
      expect(try await sandbox.dray("get", base + "/empty"), exits: 0)
      sandbox.expectFiles(["empty": .fixed([UInt8]())])
      expect(try await sandbox.dray("get", base + "/missing"), exits: 8, saying: "550")
      expect(try await sandbox.dray("info", base + "/missing"), exits: 8, saying: "550")
      expect(try await sandbox.dray("get", base + "/no/file"), exits: 8, saying: "550")
      expect(try await sandbox.dray("get", "-u", "ann:s3cret", url), exits: 6, saying: "530")
      expect(try await sandbox.dray("get", "ftp://ann:s3cret@127.0.0.1:\(server.port)/file.bin"), exits: 6)
      let shown = try await sandbox.dray("show", "5")
      #expect(!shown.text.contains("s3cret"), "\(shown)")
    }
  }
}
