// The service and systemd: the passed socket, the ready, watchdog and stopping messages, and the installed unit.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Service and systemd")
struct SystemdTests {
  @Test("it serves the passed socket, and reports that it is ready, alive and stopping; its hooks do not inherit this")
  func activation() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Version.named("v1", size: 10))
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("activate.py")
      let words = [
        script.path, sandbox.root + "/notify", try programPath(), "serve", "--root", sandbox.downloads, "--hook-shell",
        "--on-complete", "env > \(sandbox.root)/user/env",
      ]
      let systemd = try sandbox.launch(toolPath("python3"), words)
      try await systemd.wait(for: "the service") {
        systemd.output.contains("READY=1") && systemd.output.contains("WATCHDOG=1")
      }
      let port = try #require(systemd.output.split(separator: "\n").first?.split(separator: " ").last)
      let page = try await sandbox.tool("curl", ["-sS", "--compressed", "--noproxy", "*", "http://127.0.0.1:\(port)/"])
      expect(page, exits: 0, saying: "<!doctype html>")
      expect(try await sandbox.dray("serve", "--status"), exits: 0, saying: "127.0.0.1:\(port)")
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      let path = sandbox.root + "/user/env"
      try await systemd.wait(for: "the hook") { (FileManager.default.contents(atPath: path)?.count ?? 0) > 100 }
      let variables = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
      for name in ["LISTEN_", "NOTIFY_", "WATCHDOG_"] { #expect(!variables.contains(name), "\(name)") }
      expect(try await sandbox.dray("serve", "--stop"), exits: 0)
      let finished = try await systemd.finish()
      #expect(finished.output.contains("STOPPING=1") && finished.output.hasSuffix("EXIT 143\n"), "\(finished)")
    }
  }

  @Test(
    "--install writes a unit and a secret that only its owner can read; without systemd it prints advice",
    .needs(
      Need("no-systemd", "where systemd runs, it would be asked in earnest") {
        !FileManager.default.fileExists(atPath: "/run/systemd/system")
      }))
  func install() async throws {
    try await Sandbox.use { sandbox in
      let installed = try await sandbox.dray("serve", "--install", "--root", "a b")
      expect(installed, exits: 1, saying: "systemd does not run here")
      let unit = sandbox.root + "/user/.config/systemd/user/dray.service"
      let text = try String(contentsOfFile: unit, encoding: .utf8)
      let secret = sandbox.root + "/user/.config/dray/secret"
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
      #expect(line.hasSuffix("serve --root \"a b\" --secret-file \(secret)"), "\(line)")
      #expect(text.contains("WorkingDirectory=\(sandbox.downloads)\n") && text.contains("DRAY_HOME=\(sandbox.home)"))
      #expect(installed.text.contains("serve --root 'a b' --secret-file \(secret) --detach"), "\(installed)")
      #expect(sandbox.mode(of: secret) == 0o600)
      let before = try String(contentsOfFile: secret, encoding: .utf8)
      #expect(before.count >= 32 && !installed.text.contains(before.dropLast()))
      // Repeated: the secret stays, because clients have it.
      expect(try await sandbox.dray("serve", "--install"), exits: 1)
      #expect(try String(contentsOfFile: secret, encoding: .utf8) == before)
      if let verify = try? toolPath("systemd-analyze") {
        let verified = try await sandbox.launch(verify, ["verify", "--user", "--man=no", unit]) { launch in
          launch.environment["XDG_RUNTIME_DIR"] = sandbox.root
        }.finish()
        #expect(!verified.text.contains("dray.service:"), "\(verified)")
      }
      expect(try await sandbox.dray("serve", "--uninstall"), exits: 0, saying: "removed")
      #expect(!FileManager.default.fileExists(atPath: unit))
      expect(try await sandbox.dray("serve", "--uninstall"), exits: 0, saying: "nothing to remove")
    }
  }
}
