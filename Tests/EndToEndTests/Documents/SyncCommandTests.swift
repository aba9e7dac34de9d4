// `dray sync`: fetched files, kept files, and the lock.

import FaultServer
import Foundation
import Testing

@Suite("Sync from the command line")
struct SyncCommandTests {
  static let (a, b) = (FaultServer.Version.named("a", size: 300_000), FaultServer.Version.named("b", size: 40_000))

  static func manifest(_ server: FaultServer) -> String {
    """
    [defaults]
    base = "\(server.url("/files/"))"
    [[file]]
    url = "a?token=geheim"
    target = "sub/a.bin"
    [[file]]
    url = "b"
    """
  }

  static func serve(_ server: FaultServer) {
    (server["/files/a"], server["/files/b"]) = (.init(a), .init(b))
  }

  static func expectBoth(_ sandbox: Sandbox, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(a.content.difference(fromFileAt: sandbox.path("sub/a.bin")) == nil, sourceLocation: sourceLocation)
    #expect(b.content.difference(fromFileAt: sandbox.path("b")) == nil, sourceLocation: sourceLocation)
    #expect(sandbox.names() == ["sub", "b", "set.toml", "set.lock"], sourceLocation: sourceLocation)
    #expect(sandbox.names(in: sandbox.path("sub")) == ["a.bin"], sourceLocation: sourceLocation)
  }

  @Test("files and lock; the second time no request is made; different or missing files are fetched again")
  func syncs() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      Self.serve(server)
      try sandbox.write(Self.manifest(server), to: "set.toml")
      let dry = try await sandbox.dray("sync", "--dry-run", "set.toml")
      expect(dry, exits: 0)
      #expect(dry.output == "sub/a.bin\tfetch\nb\tfetch\n" && server.requests.isEmpty)
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0)
      Self.expectBoth(sandbox)
      let lock = try #require(sandbox.read("set.lock"))
      #expect(lock.contains(Sandbox.sha256(Self.a.content)) && lock.contains("size = 40000"))
      #expect(!lock.contains("geheim"), "\(lock)")
      let asked = server.requests.count
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0, saying: "all files are up to date")
      expect(try await sandbox.dray("sync", "--locked", "set.toml"), exits: 0)
      #expect(server.requests.count == asked && sandbox.read("set.lock") == lock)
      try sandbox.write("changed by hand", to: "b")
      try FileManager.default.removeItem(atPath: sandbox.path("sub/a.bin"))
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0)
      Self.expectBoth(sandbox)
      #expect(server.requests.count == asked + 2 && sandbox.read("set.lock") == lock)
    }
  }

  @Test("--locked: a difference in manifest, disk or answer is named, exit 9, and nothing is changed")
  func locked() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      Self.serve(server)
      let manifest = Self.manifest(server)
      try sandbox.write(manifest, to: "set.toml")
      expect(try await sandbox.dray("sync", "--locked", "set.toml"), exits: 9, saying: "the lock file is missing")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0)
      let lock = sandbox.read("set.lock")
      @discardableResult
      func refused(_ part: String) async throws -> Finished {
        let finished = try await sandbox.dray("sync", "--locked", "set.toml")
        expect(finished, exits: 9, saying: part)
        #expect(sandbox.read("set.lock") == lock)
        return finished
      }
      try sandbox.write(manifest.replacing("url = \"b\"", with: "url = \"c\"\ntarget = \"b\""), to: "set.toml")
      try await refused("its URL is")
      try sandbox.write(manifest + "\n[[file]]\nurl = \"c\"\n", to: "set.toml")
      try await refused("/c: it is in the manifest")
      try sandbox.write(manifest.replacing("[[file]]\nurl = \"b\"", with: ""), to: "set.toml")
      try await refused("it contains b")
      try sandbox.write(manifest, to: "set.toml")
      try sandbox.write("by hand", to: "b")
      try await refused("/b: the existing file")
      #expect(sandbox.read("b") == "by hand")
      try FileManager.default.removeItem(atPath: sandbox.path("b"))
      server["/files/b"] = .init(.named("longer", size: 50_000))
      for (version, part) in [
        (FaultServer.Version.named("longer", size: 50_000), "expected 40000"),
        (.named("other", size: 40_000), "digest"), (.named("third", size: 40_000), "digest"),
      ] {
        server["/files/b"] = .init(version)
        let finished = try await refused(part)
        #expect(finished.text.contains("the lock file pins that version"), "\(finished)")
        #expect(finished.text.contains("`dray sync --update` takes those of the servers"), "\(finished)")
        // Nobody has given an option.
        #expect(!finished.text.contains("replaced") && !finished.text.contains("--checksum"), "\(finished)")
      }
      #expect(!sandbox.names().contains("b"))
      Self.serve(server)
      expect(try await sandbox.dray("sync", "--locked", "set.toml"), exits: 0)
      Self.expectBoth(sandbox)
    }
  }

  @Test("a new version on the server: the lock is named, not an option; a limit of an earlier sync stays and is named")
  func newVersion() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/files/b"] = .init(Self.b)
      try sandbox.write("[[file]]\nurl = \"\(server.url("/files/b"))\"\n", to: "set.toml")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0)
      try FileManager.default.removeItem(atPath: sandbox.path("b"))
      server["/files/b"] = .init(.named("other", size: 40_000))
      for words in [["--limit-rate", "20M"], []] {
        let finished = try await sandbox.dray(["sync"] + words + ["set.toml"])
        expect(finished, exits: 9, saying: "the lock file pins that version")
        #expect(finished.text.contains("`dray sync --update`") && !finished.text.contains("--checksum"), "\(finished)")
        #expect(finished.text.contains("job 1 keeps --limit-rate; ") == words.isEmpty, "\(finished)")
      }
      expect(try await sandbox.dray("sync", "--update", "set.toml"), exits: 0)
      expect(try await sandbox.dray("sync", "--locked", "set.toml"), exits: 0)
    }
  }

  @Test("foreign files stay; errors in a manifest are reported before anything is touched")
  func refusals() async throws {
    try await Sandbox.use { sandbox in
      Self.serve(sandbox.server)
      try sandbox.write(Self.manifest(sandbox.server), to: "set.toml")
      try sandbox.write("mine", to: "b")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 3, saying: "dray did not put it there")
      #expect(sandbox.read("b") == "mine" && sandbox.names() == ["b", "set.toml"])
      try sandbox.write("[[file]]\nurl = \"http://h/a\"\ntraget = \"x\"\n", to: "set.toml")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 2, saying: "did you mean target?")
      try sandbox.write("[[file]]\nurl = \"http://h/a\"\ntarget = \"../x\"\n", to: "set.toml")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 2, saying: "relative path")
      #expect(sandbox.server.requests.isEmpty)
    }
  }

  @Test("killed in the middle, then run again, and twice at once: the same files, the same lock")
  func interrupted() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      Self.serve(server)
      let gate = Gate()
      server["/files/a"]?.script = [.held(by: gate, after: 150_000), .normal]
      try sandbox.write(Self.manifest(server), to: "set.toml")
      let first = try sandbox.start(["sync", "set.toml"])
      try await first.wait(for: "b, and half of a", every: 0.05) { sandbox.names().contains("b") && gate.arrivals > 0 }
      _ = try await first.kill9()
      gate.open()
      #expect(!sandbox.names().contains("set.lock"))
      let one = try sandbox.start(["sync", "set.toml"])
      let two = try sandbox.start(["sync", "set.toml"])
      expect(try await one.finish(seconds: 60), exits: 0)
      expect(try await two.finish(seconds: 60), exits: 0)
      Self.expectBoth(sandbox)
      #expect(server.requests.filter { $0.path == "/files/b" }.count == 1)
      expect(try await sandbox.dray("sync", "--locked", "set.toml"), exits: 0)
    }
  }
}
