// SFTP, against the real sshd from Debian.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("SFTP with sshd", .needs(.root))
struct SFTPTests {
  static let version = Version.named("v1", size: 4 << 20)

  private func serve(_ body: (Sandbox, FileServer, String) async throws -> Void) async throws {
    try await Sandbox.use { sandbox in
      let server = try await FileServer.sshd(in: sandbox)
      try server.put("file.bin", Self.version.content)
      try await body(sandbox, server, "sftp://127.0.0.1:\(server.port)\(server.site)/file.bin")
    }
  }

  /// The host key's fingerprint, as ssh-keygen prints it.
  private func fingerprint(_ sandbox: Sandbox) async throws -> String {
    let told = try await sandbox.tool("ssh-keygen", ["-l", "-f", "\(sandbox.root)/user/.ssh/host.pub"])
    return try #require(told.output.split(separator: " ").first { $0.hasPrefix("SHA256:") }.map(String.init))
  }

  @Test("an unknown host is refused, with its fingerprint")
  func unknownHost() async throws {
    try await serve { sandbox, server, url in
      let print = try await fingerprint(sandbox)
      expect(try await sandbox.dray("get", url), exits: 5, saying: print)
      expect(try await sandbox.dray("info", url), exits: 5, saying: "unknown")
      sandbox.expectNoFiles()
      #expect(!server.log.contains("Accepted"), "\(server.log)")
      expect(try await sandbox.dray("get", "-o", "a", "--hostpubsha256", print, url), exits: 0)
      let wrong = String(repeating: "A", count: 43)
      expect(try await sandbox.dray("get", "-o", "b", "--hostpubsha256", wrong, url), exits: 5)
      expect(try await sandbox.dray("get", "-o", "c", "-k", url), exits: 0)
      sandbox.expectFiles(["a": Self.version.content, "c": Self.version.content])
    }
  }

  @Test("a host with a different key than the known one is refused")
  func otherKey() async throws {
    try await serve { sandbox, server, url in
      let folder = "\(sandbox.root)/user/.ssh"
      let key = try String(contentsOfFile: "\(folder)/id_ed25519.pub", encoding: .utf8)
      try sandbox.write("[127.0.0.1]:\(server.port) \(key)", to: "../user/.ssh/known_hosts")
      expect(try await sandbox.dray("get", url), exits: 5, saying: "not the one in known_hosts")
      sandbox.expectNoFiles()
    }
  }

  @Test("known_hosts and the user's key are accepted; the transfer continues after kill -9")
  func resumed() async throws {
    try await serve { sandbox, server, url in
      let key = try String(contentsOfFile: "\(sandbox.root)/user/.ssh/host.pub", encoding: .utf8)
      try sandbox.write("[127.0.0.1]:\(server.port) \(key)", to: "../user/.ssh/known_hosts")
      _ = try await sandbox.runSlowly(["get", url], stop: .kill)
      let kept = try await sandbox.kept()
      #expect(kept > 0 && kept < 4 << 20)
      let again = try await sandbox.dray("get", "--progress", "json", url)
      expect(again, exits: 0)
      #expect(again.output.contains("\(kept)"), "\(again)")
      sandbox.expectFiles(["file.bin": Self.version.content])
    }
  }

  @Test(
    "known_hosts is read as ssh reads it: CR LF, invalid lines, unknown types, patterns, other hosts",
    arguments: [
      "[127.0.0.1]:PORT KEY\r\n", "nonsense\n[127.0.0.1]:PORT KEY", "[127.0.0.1]:* KEY", "[127.0.0.*]:PORT KEY",
      "[127.0.0.1]:PORT sk-ssh-ed25519@openssh.com AAAA\n[127.0.0.1]:PORT KEY", "127.0.0.1 KEY",
      "|1|AAAA|AAAA ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB\n[127.0.0.1]:PORT KEY",
    ])
  func knownHosts(lines: String) async throws {
    try await serve { sandbox, server, url in
      let key = try String(contentsOfFile: "\(sandbox.root)/user/.ssh/host.pub", encoding: .utf8)
      let words = key.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
      try sandbox.write(
        lines.replacing("PORT", with: "\(server.port)").replacing("KEY", with: words), to: "../user/.ssh/known_hosts")
      expect(try await sandbox.dray("get", url), exits: 0)
      sandbox.expectFiles(["file.bin": Self.version.content])
    }
  }

  @Test("--key names the user's key")
  func key() async throws {
    try await serve { sandbox, _, url in
      let folder = "\(sandbox.root)/user/.ssh"
      try FileManager.default.moveItem(atPath: "\(folder)/id_ed25519", toPath: "\(folder)/mine")
      expect(try await sandbox.dray("get", "-k", "-o", "a", url), exits: 6, saying: "--key")
      expect(try await sandbox.dray("get", "-k", "-o", "b", "--key", "../user/.ssh/mine", url), exits: 0)
      sandbox.expectFiles(["b": Self.version.content])
    }
  }

  @Test("-T sends a file")
  func upload() async throws {
    try await serve { sandbox, server, url in
      try Self.version.content.write(toFileAt: "\(sandbox.root)/user/mine")
      expect(try await sandbox.dray("get", "-k", "-T", "../user/mine", url + ".sent"), exits: 0, saying: "sent 4.0 MiB")
      #expect(Self.version.content.difference(fromFileAt: "\(server.site)/file.bin.sent") == nil)
    }
  }

  @Test("missing files, and rejected users")
  func refused() async throws {
    try await serve { sandbox, server, url in
      expect(try await sandbox.dray("get", "-k", url + ".missing"), exits: 8)
      let stranger = url.replacingOccurrences(of: "sftp://", with: "sftp://nobody:s3cret@")
      let finished = try await sandbox.dray("get", "-k", stranger)
      expect(finished, exits: 6, saying: "login")
      #expect(!finished.text.contains("s3cret"))
    }
  }
}
