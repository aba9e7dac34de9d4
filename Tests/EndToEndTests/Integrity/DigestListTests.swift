// `--verify auto` and `require`: lists of digests next to the file, with their signatures.

import FaultServer
import Foundation
import Testing

@Suite("Digest lists")
struct DigestListTests {
  static let version = OfferedDigestTests.version
  static let hex = Sandbox.sha256(version.content)

  static func text(_ text: String) -> FaultServer.Resource { .init(Version(.fixed(text.utf8))) }

  @Test("each kind of list beside the file is found and proves the file", arguments: ["f.sha256", "SHA256SUMS"])
  func found(name: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/d/f"] = .init(Self.version)
      sandbox.server["/d/" + name] = Self.text("\(String(repeating: "0", count: 64))  g\n\(Self.hex)  f\n")
      let finished = try await sandbox.dray("get", "--verify", "auto", sandbox.server.url("/d/f"))
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], finished)
      let job = try await sandbox.onlyJob()
      #expect(job.digest == "sha-256=\(Self.hex)")
      #expect(job.digestSource == sandbox.server.url("/d/" + name))
    }
  }

  @Test("a weak digest does not hide a stronger one in another list; a strong one ends the search")
  func strongest() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/d/f"] = .init(Self.version)
      sandbox.server["/d/f.md5"] = Self.text(String(repeating: "0", count: 32))
      sandbox.server["/d/SHA256SUMS"] = Self.text("\(Self.hex)  f\n")
      let url = sandbox.server.url("/d/f")
      expect(try await sandbox.dray("get", "--verify", "auto", url), exits: 0)
      let job = try await sandbox.onlyJob()
      #expect(job.digestSource == sandbox.server.url("/d/SHA256SUMS"))
      #expect(sandbox.server.requests("/d/SHA512SUMS").isEmpty && sandbox.server.requests("/d/f.md5").count == 1)
      // The weak digest counts if there is no other.
      sandbox.server["/d/SHA256SUMS"] = Self.text("\(Self.hex)  g\n")
      expect(
        try await sandbox.dray("get", "-o", "again", "--verify", "auto", url), exits: 9, saying: "/d/f.md5 it is 0000")
    }
  }

  @Test("a file that does not match its list is not published")
  func wrong() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      sandbox.server["/f.sha256"] = Self.text(String(repeating: "0", count: 64))
      for words in [["get"], ["get", "-o", "-"]] {
        let finished = try await sandbox.dray(words + ["--verify", "auto", sandbox.server.url("/f")])
        expect(finished, exits: 9, saying: "/f.sha256 it is 0000")
        sandbox.expectNoFiles(finished)
      }
    }
  }

  @Test("P12 a file interrupted during the search for its list is not written out, and keeps its name")
  func interrupted() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let named = Answer { $0.headers = ["Content-Disposition: attachment; filename=\"named\""] }
      sandbox.server["/f"] = .init(Self.version, script: [named])
      sandbox.server["/f.sha256"] = .init(Self.version, script: [.held(by: gate, after: 0)])
      for words in [["-o", "-"], []] {
        let (asked, arrived) = (sandbox.server.requests("/f.sha256").count, sandbox.server.requests("/f").count)
        let program = try sandbox.start(["get", "--verify", "require"] + words + [sandbox.server.url("/f")])
        try await program.wait(for: "the list and the file") {
          sandbox.server.requests("/f.sha256").count > asked && sandbox.server.requests("/f").count > arrived
            && sandbox.server.requests("/f").last?.bodySent == Self.version.content.size
        }
        // The last bytes of the file may still be in flight.
        try await Task.sleep(for: .seconds(0.5))
        program.send(SIGINT)
        let finished = try await program.finish()
        expect(finished, exits: 130)
        #expect(finished.output.isEmpty, "\(finished)")
      }
      gate.open()
      sandbox.server["/f.sha256"] = Self.text(Self.hex)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      sandbox.expectFiles(["named": Self.version.content], finished)
    }
  }

  @Test("without a list, auto accepts the file with a notice, and require refuses it")
  func absent() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      // A server with a page for every URL.
      sandbox.server["/f.sha256"] = Self.text("<!DOCTYPE html><title>not found</title>")
      let refused = try await sandbox.dray("get", "--verify", "require", sandbox.server.url("/f"))
      expect(refused, exits: 9, saying: "no digest of it is offered")
      #expect(!sandbox.names().contains("f"))
      let taken = try await sandbox.dray("get", "--verify", "auto", sandbox.server.url("/f"))
      expect(taken, exits: 0, saying: "no digest of it was found")
      sandbox.expectFiles(["f": Self.version.content], taken)
    }
  }

  @Test("P12 --verify require ends with the head if no digest exists, and starts nothing over; a trailer may bring one")
  func unprovable() async throws {
    try await Sandbox.use { sandbox in
      let large = OfferedDigestTests.large
      sandbox.server["/f"] = .init(large, script: [.cut(after: 10 << 20), .normal.with { $0.rate = 4 << 20 }])
      let get = ["get", "-x", "1", "--retries", "0", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 4)
      let refused = try await sandbox.dray(get + ["--verify", "require"])
      expect(refused, exits: 9, saying: "no digest of it is offered")
      #expect(!refused.errors.contains("started over"), "\(refused)")
      #expect(sandbox.server.requests("/f").count == 2, "\(refused)")
      #expect(sandbox.server.bytesSent("/f") < large.content.size, "\(refused)")
      // The bytes are kept, so a user who knows the digest can continue.
      let digest = "sha-256=\(Sandbox.sha256(large.content))"
      let finished = try await sandbox.dray(get + ["--checksum", digest])
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": large.content], finished)
      #expect(sandbox.server.requests("/f").last?["Range"] != nil)

      let field = OfferedDigestTests.field(large)
      let late = Answer.normal.with {
        $0.framing = .chunked(.init { $0.trailers = [field] })
        // The list is looked for while the body still comes.
        $0.rate = 32 << 20
      }
      sandbox.server["/late"] = .init(large, script: [late])
      expect(try await sandbox.dray("get", "--verify", "require", sandbox.server.url("/late")), exits: 0)
    }
  }

  @Test("secrets of the file's URL do not go to the lists beside it; its credentials do, to the same server")
  func secrets() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      sandbox.server["/f.sha256"] = Self.text(Self.hex)
      let finished = try await sandbox.dray(
        "get", "--verify", "auto", "-H", "X-Key: k", sandbox.server.url("/f") + "?token=s")
      expect(finished, exits: 0)
      let asked = try #require(sandbox.server.requests("/f.sha256").first)
      #expect(!asked.target.contains("token") && asked["X-Key"] == "k")
    }
  }

  @Test("a signature by minisign: good, of another list, none at all")
  func minisign() async throws {
    try await Sandbox.use { sandbox in
      for (list, text) in [("SUMS", "\(Self.hex)  f\n"), ("OTHER", "\(Self.hex)  f\n\n")] {
        _ = try sandbox.write(text, to: "../" + list)
      }
      let line =
        "cd .. && minisign -G -W -p pub -s sec && minisign -S -s sec -m SUMS -x good && minisign -S -s sec -m OTHER -x bad"
      expect(try await sandbox.shell(line), exits: 0)
      func file(_ name: String) throws -> FaultServer.Resource {
        .init(Version(.fixed(try Data(contentsOf: URL(fileURLWithPath: sandbox.root + "/" + name)))))
      }
      let key = try #require(sandbox.read("../pub")?.split(separator: "\n").last.map(String.init))
      sandbox.server["/f"] = .init(Self.version)
      sandbox.server["/SHA256SUMS"] = try file("SUMS")
      func get(_ name: String, _ key: String) async throws -> Finished {
        try await sandbox.dray(
          "get", "--verify", "auto", "--verify-key", key, "-o", name, sandbox.server.url("/f"))
      }
      expect(try await get("unsigned", key), exits: 0, saying: "no minisign signature was found")
      sandbox.server["/SHA256SUMS.minisig"] = try file("good")
      for (name, key) in [("key", key), ("file", "../pub")] {
        expect(try await get(name, key), exits: 0)
        #expect(try await sandbox.jobs().last?.digestSource?.hasSuffix("signed by the minisign key") ?? false)
      }
      sandbox.server["/SHA256SUMS.minisig"] = try file("bad")
      expect(try await get("bad", key), exits: 9, saying: "the signature of this list of digests is not valid")
    }
  }

  @Test("a signature by gpg: good, of another list, of an unknown key; also around the list")
  func openPGP() async throws {
    try await Sandbox.use { sandbox in
      let home = sandbox.root + "/gnupg"
      try FileManager.default.createDirectory(
        atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      func gpg(_ line: String) async throws -> Finished {
        try await sandbox.shell(
          "GNUPGHOME=\(home) gpg --batch --no-tty --pinentry-mode loopback --passphrase '' \(line)")
      }
      expect(try await gpg("--quick-gen-key 'Release Team <r@example.org>' ed25519 sign never"), exits: 0)
      _ = try sandbox.write("\(Self.hex)  f\n", to: "../SUMS")
      _ = try sandbox.write("\(Self.hex)  f\n\n", to: "../OTHER")
      for line in ["-o ../sig -b ../SUMS", "-o ../othersig -b ../OTHER", "-o ../clear --clear-sign ../SUMS"] {
        expect(try await gpg(line), exits: 0)
      }
      func file(_ name: String) throws -> FaultServer.Resource {
        .init(Version(.fixed(try Data(contentsOf: URL(fileURLWithPath: sandbox.root + "/" + name)))))
      }
      let get = { (name: String, keyring: String) in
        try await sandbox.shell(
          "GNUPGHOME=\(keyring) $DRAY get --verify auto -o \(name) \(sandbox.server.url("/f"))")
      }
      sandbox.server["/f"] = .init(Self.version)
      sandbox.server["/SHA256SUMS"] = try file("SUMS")
      sandbox.server["/SHA256SUMS.gpg"] = try file("sig")
      expect(try await get("good", home), exits: 0)
      #expect(try await sandbox.onlyJob().digestSource?.hasSuffix("signed by Release Team <r@example.org>") ?? false)
      // Otherwise the agent that gpg started for the key would stay.
      expect(try await sandbox.shell("gpgconf --homedir \(home) --kill all"), exits: 0)
      let empty = sandbox.root + "/empty"
      try FileManager.default.createDirectory(
        atPath: empty, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      expect(try await get("unknown", empty), exits: 0, saying: "is not in your keyring")
      sandbox.server["/SHA256SUMS.gpg"] = try file("othersig")
      expect(try await get("bad", home), exits: 9, saying: "the signature of this list of digests is not valid")
      #expect(!sandbox.names().contains("bad"))
      sandbox.server["/SHA256SUMS"] = try file("clear")
      expect(try await get("clear", home), exits: 0)
      #expect(try await sandbox.jobs().last?.digestSource?.contains("signed by Release Team") ?? false)
    }
  }
}
