// Local files.

import FaultServer
import Foundation
import Testing

@Suite("file URLs")
struct FileTests {
  static let version = Version.named("v1", size: 6 << 20)

  /// Writes the source and returns its URL.
  private func source(_ sandbox: Sandbox, _ name: String = "source.bin") throws -> String {
    let path = "\(sandbox.root)/user/\(name)"
    try Self.version.content.write(toFileAt: path)
    return "file://" + path
  }

  @Test("a file is copied, looked at, and published like any other")
  func copied() async throws {
    try await Sandbox.use { sandbox in
      let url = try source(sandbox)
      expect(try await sandbox.dray("info", url), exits: 0, saying: "yes: ranges and a strong ETag")
      expect(try await sandbox.dray("get", url), exits: 0)
      sandbox.expectFiles(["source.bin": Self.version.content])
      let spaced = try source(sandbox, "a b%?.bin").replacingOccurrences(of: "%", with: "%25")
      expect(try await sandbox.dray("get", spaced), exits: 0)
      #expect(Self.version.content.difference(fromFileAt: sandbox.path("a b%?.bin")) == nil, "\(sandbox.names())")
    }
  }

  @Test("anything but a regular file is refused, without a wait")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let pipe = "\(sandbox.root)/user/pipe"
      mkfifo(pipe, 0o600)
      expect(try await sandbox.dray("get", "file:///etc"), exits: 3, saying: "directory")
      expect(try await sandbox.dray("get", "file:///dev/zero"), exits: 3, saying: "not a regular file")
      expect(try await sandbox.dray("get", "file://" + pipe), exits: 3, saying: "not a regular file")
      expect(try await sandbox.dray("get", "file://\(pipe)-missing"), exits: 3, saying: "No such file")
      expect(try await sandbox.dray("get", "file://elsewhere/etc/passwd"), exits: 2, saying: "this machine")
      sandbox.expectNoFiles()
    }
  }

  @Test("it continues after kill -9, and a source that was written to is noticed")
  func resumedAndChanged() async throws {
    try await Sandbox.use { sandbox in
      let url = try source(sandbox)
      _ = try await sandbox.runSlowly(["get", url], stop: .kill)
      let kept = try await sandbox.kept()
      #expect(kept > 0 && kept < 6 << 20)
      let again = try await sandbox.dray("get", "--progress", "json", url)
      expect(again, exits: 0)
      #expect(again.output.contains("\(kept)"), "\(again)")
      sandbox.expectFiles(["source.bin": Self.version.content])

      let slow = try await sandbox.startSlowly(["get", "-o", "b", "--retries", "0", url])
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: String(url.dropFirst(7))))
      try file.seekToEnd()
      try file.write(contentsOf: Data("more".utf8))
      try file.close()
      try await sandbox.liftLimit()
      expect(try await slow.finish(), exits: 9, saying: "was changed while")
      #expect(!sandbox.names().contains("b"))
    }
  }

  /// With a length that is a multiple of the buffer size, and with one that is not.
  @Test("P2 a retry fetches a source again if it was written to", arguments: [6 << 20, (6 << 20) + 12345])
  func changedThenRetried(size: Int64) async throws {
    try await Sandbox.use { sandbox in
      let path = "\(sandbox.root)/user/source.bin"
      let (old, new) = (Version.named("v1", size: size).content, Version.named("v2", size: size).content)
      try old.write(toFileAt: path)
      let program = try await sandbox.startSlowly(["get", "--retry-wait", "0.05", "file://" + path])
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.write(contentsOf: Data(new.bytes(in: 0..<size)))
      try file.close()
      try await sandbox.liftLimit()
      let finished = try await program.finish()
      expect(finished, exits: 0, saying: "was changed while")
      expect(finished, exits: 0, saying: "started over: the file changed")
      sandbox.expectFiles(["source.bin": new], finished)
    }
  }

  @Test("the bytes of a source that was replaced by a longer one are given up, with a message")
  func replaced() async throws {
    try await Sandbox.use { sandbox in
      let url = try source(sandbox)
      #expect(try await sandbox.runSlowly(["get", url], stop: .interrupt).received > 0)
      let longer = Version.named("v2", size: 7 << 20)
      try longer.content.write(toFileAt: String(url.dropFirst(7)))
      let again = try await sandbox.dray("get", url)
      expect(again, exits: 0, saying: "started over: the file changed")
      sandbox.expectFiles(["source.bin": longer.content], again)
    }
  }

  @Test("a server or a feed cannot lead there")
  func redirected() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: "file:///etc/passwd")])
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 7, saying: "only http and https")
      sandbox.expectNoFiles()
    }
  }
}
