// `dray verify` and `dray list --sums`.

import FaultServer
import Foundation
import Testing

@Suite("Verify")
struct VerifyTests {
  static let version = OfferedDigestTests.version
  static let hex = Sandbox.sha256(version.content)

  @Test("an unchanged file passes, a changed one is named; by job, by path, all files")
  func verify() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(
        Self.version, script: [OfferedDigestTests.answer(OfferedDigestTests.field(Self.version))])
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      for operand in [["1"], ["f"], ["--all"], [sandbox.path("f")]] {
        let finished = try await sandbox.dray(["verify"] + operand)
        expect(finished, exits: 0)
        #expect(finished.output == "OK  sha-256=\(Self.hex)  \(sandbox.path("f"))\n", "\(finished)")
      }
      #expect(try await sandbox.dray("verify", "-q", "1").output == "")

      try Data(Self.version.content.bytes(in: 0..<299_999) + [0]).write(to: URL(fileURLWithPath: sandbox.path("f")))
      let wrong = try await sandbox.dray("verify", "1")
      expect(wrong, exits: 9, saying: "Repr-Digest: \(Self.hex), is now ")
      #expect(wrong.errors.contains("; `dray verify --repair 1` fetches"), "\(wrong)")
      #expect(wrong.output.hasPrefix("FAILED  sha-256="), "\(wrong)")
      expect(try await sandbox.dray("verify", "--checksum", "sha-256=\(Self.hex)", "f"), exits: 9, saying: "given: ")
      try FileManager.default.removeItem(atPath: sandbox.path("f"))
      expect(try await sandbox.dray("verify", "1"), exits: 3, saying: "cannot be opened")
    }
  }

  @Test("P12 a published file that is read-only or has a second name is verified, too")
  func publishedFilesAreOnlyRead() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let get = ["get", sandbox.server.url("/f")]
      expect(try await sandbox.dray(get), exits: 0)
      try FileManager.default.linkItem(atPath: sandbox.path("f"), toPath: sandbox.path("second"))
      chmod(sandbox.path("f"), 0o444)
      let checked = get + ["--checksum", "sha-256=\(Self.hex)"]
      expect(try await sandbox.dray(checked), exits: 0, saying: "already complete")
      expect(try await sandbox.dray(checked + ["--if-changed"]), exits: 0, saying: "up to date")
      let wrong = get + ["--checksum", "sha-256=" + String(repeating: "0", count: 64)]
      expect(try await sandbox.dray(wrong), exits: 9, saying: "its digest is \(Self.hex)")

      let file = "[[file]]\nurl = \"\(sandbox.server.url("/f"))\"\ntarget = \"of-a-set\"\n"
      try sandbox.write(file, to: "set.toml")
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0)
      try FileManager.default.linkItem(atPath: sandbox.path("of-a-set"), toPath: sandbox.path("third"))
      chmod(sandbox.path("of-a-set"), 0o444)
      expect(try await sandbox.dray("sync", "set.toml"), exits: 0, saying: "all files are up to date")
    }
  }

  @Test("verify --all judges every file: a small one without a digest gets one when it is fetched")
  func everyFile() async throws {
    try await Sandbox.use { sandbox in
      let sizes: [Int64] = [0, 1, 300_000, 1 << 20, 1 << 20 | 1]
      for size in sizes { sandbox.server["/\(size)"] = .init(.named("\(size)", size: size)) }
      expect(try await sandbox.dray(["get"] + sizes.map { sandbox.server.url("/\($0)") }), exits: 0)
      let all = try await sandbox.dray("verify", "--all")
      expect(all, exits: 0)
      #expect(all.output.split(separator: "\n").count { $0.hasPrefix("OK  sha-256=") } == sizes.count, "\(all)")
      let sources = try await sandbox.jobs().map { $0.digestSource ?? "none" }
      #expect(sources.sorted() == ["computed", "computed", "computed", "computed", "none"])

      try Sandbox.flip(9, in: sandbox.path("300000"))
      let bad = try await sandbox.dray("verify", "--all")
      expect(bad, exits: 9, saying: "changed or damaged since the download")
      #expect(bad.output.contains("FAILED  sha-256="), "\(bad)")
      expect(try await sandbox.dray("verify", "--repair", "--all"), exits: 0)
      expect(try await sandbox.dray("verify", "--all"), exits: 0)
      // A file of no job has nothing to be compared with.
      try sandbox.write("mine", to: "mine")
      let unknown = try await sandbox.dray("verify", "mine")
      expect(unknown, exits: 1, saying: "give a digest with --checksum")
      #expect(unknown.output.hasPrefix("UNKNOWN  sha-256="), "\(unknown)")
    }
  }

  @Test("a file without a digest is reported, and can be given one; lists for cksum")
  func recordAndList() async throws {
    try await Sandbox.use { sandbox in
      // It has checksums of its blocks.
      let version = Version.named("two", size: 2 << 20)
      let hex = Sandbox.sha256(version.content)
      sandbox.server["/a%20b"] = .init(version)
      expect(try await sandbox.dray("get", sandbox.server.url("/a%20b")), exits: 0)
      let without = try await sandbox.dray("list", "--sums")
      expect(without, exits: 0, saying: "1 complete job has no digest")
      #expect(without.output == "")
      expect(try await sandbox.dray("verify", "--record", "--all"), exits: 0)
      let job = try await sandbox.onlyJob()
      #expect(job.digest == "sha-256=\(hex)" && job.digestSource == "computed")
      #expect(try await sandbox.dray("verify", "1").output.hasPrefix("OK"))

      let sums = try await sandbox.dray("list", "--sums")
      #expect(sums.output == "# source: computed\nSHA256 (\(sandbox.path("a b"))) = \(hex)\n")
      try await Self.expectChecked(sums.output, sandbox)
      let json = try await sandbox.dray("verify", "--json", "1")
      #expect(
        json.output.contains("\"outcome\":\"ok\"") && json.output.contains("\"digestSource\":\"computed\""), "\(json)")
    }
  }

  @Test("P12 without a digest block checksums and length decide, and a refuted digest is not recorded")
  func withoutADigest() async throws {
    try await Sandbox.use { sandbox in
      let large = Version.named("large", size: 20 << 20)
      sandbox.server["/f"] = .init(large)
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      let sound = try await sandbox.dray("verify", "1")
      expect(sound, exits: 0)
      #expect(sound.output.hasPrefix("OK  sha-256=\(Sandbox.sha256(large.content))"), "\(sound)")

      try Sandbox.flip(9 << 20, in: sandbox.path("f"))
      for words in [["1"], ["--record", "1"], ["--record", "--all"], ["f"]] {
        let bad = try await sandbox.dray(["verify"] + words)
        expect(bad, exits: 9, saying: "`dray verify --repair 1` fetches the damaged parts again")
        #expect(bad.output.hasPrefix("FAILED"), "\(bad)")
      }
      #expect(try await sandbox.onlyJob().digest == nil)
      try Sandbox.flip(9 << 20, in: sandbox.path("f"))
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: sandbox.path("f")))
      try file.truncate(atOffset: 10 << 20)
      try file.close()
      expect(try await sandbox.dray("verify", "1"), exits: 9, saying: "changed or damaged since the download")

      expect(try await sandbox.dray("verify", "--repair", "1"), exits: 0)
      expect(try await sandbox.dray("verify", "--record", "1"), exits: 0)
      #expect(try await sandbox.onlyJob().digest == "sha-256=\(Sandbox.sha256(large.content))")
    }
  }

  @Test("a job with a CRC only: once it matches, --record adds a digest that tools can check")
  func onlyACRC() async throws {
    try await Sandbox.use { sandbox in
      // The check value of CRC-32C, for "123456789".
      let version = Version(.fixed(Array("123456789".utf8)), etag: "\"c\"")
      let answer = Answer { $0.headers = ["x-amz-checksum-crc32c: 4waSgw=="] }
      sandbox.server["/f"] = .init(version, script: [answer])
      expect(try await sandbox.dray("get", sandbox.server.url("/f")), exits: 0)
      #expect(try await sandbox.onlyJob().digest == "crc32c=e3069283")
      expect(try await sandbox.dray("list", "--sums"), exits: 0, saying: "has no digest that other tools can check")
      let recorded = try await sandbox.dray("verify", "--record", "1")
      expect(recorded, exits: 0)
      #expect(recorded.output.hasPrefix("RECORDED  sha-256="), "\(recorded)")
      #expect(try await sandbox.dray("list", "--sums").output.hasPrefix("# source: computed\nSHA256 ("))
    }
  }

  /// Expects that coreutils accept the file in `list`, and reject it after a change.
  private static func expectChecked(_ list: String, _ sandbox: Sandbox) async throws {
    try sandbox.write(list, to: "../sums")
    // `cksum` before coreutils 9 cannot check; `sha256sum` reads the same lines.
    let hasCheck = try await sandbox.tool("cksum", ["--help"]).output.contains("--check")
    let tool = hasCheck ? "cksum" : "sha256sum"
    let good = try await sandbox.tool(tool, ["--strict", "-c", "../sums"])
    expect(good, exits: 0)
    #expect(good.output == "\(sandbox.path("a b")): OK\n", "\(good)")
    try Sandbox.flip(9, in: sandbox.path("a b"))
    let bad = try await sandbox.tool(tool, ["--strict", "-c", "../sums"])
    expect(bad, exits: 1)
    #expect(bad.output == "\(sandbox.path("a b")): FAILED\n", "\(bad)")
    try Sandbox.flip(9, in: sandbox.path("a b"))
  }

  /// Refusals, with their messages.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let words: [String]
    let says: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., says: String) { (self.words, self.says) = (words, says) }
  }

  private static let md5 = "md5=" + String(repeating: "0", count: 32)

  /// Jobs 1 and 2 are complete, and their files exist: each row has one reason for a refusal.
  static let refusals: [Refusal] = [
    .init("verify", says: "no file is given"),
    .init("verify", "--all", "1", says: "--all: give either"),
    .init("verify", "99", says: "job 99: no such job"),
    .init("verify", "--checksum", "x", "f", says: "--checksum: \"x\" is not a digest"),
    .init("verify", "--checksum", md5, "1", "2", says: "--checksum: 2 files cannot have one digest"),
    .init("verify", "--checksum", md5, "--all", says: "--checksum: all files cannot have one digest"),
    .init("verify", "--checksum", md5, "99", says: "job 99: no such job"),
    .init("list", "--json", "--sums", says: "--json and --sums: each is a format: choose one"),
    .init("get", "--verify", "perhaps", "http://127.0.0.1:1/", says: "--verify perhaps: use "),
    .init("get", "--verify-key", "nofile", "http://127.0.0.1:1/", says: "--verify-key nofile: no such file"),
  ]

  @Test("bad input is refused with a reason", arguments: refusals)
  func refused(row: Refusal) async throws {
    try await Sandbox.use { sandbox in
      for path in ["/f", "/g"] { sandbox.server[path] = .init(Self.version) }
      expect(try await sandbox.dray("get", sandbox.server.url("/f"), sandbox.server.url("/g")), exits: 0)
      let finished = try await sandbox.dray(row.words)
      expect(finished, exits: 2, saying: row.says)
      #expect(finished.output.isEmpty, "\(finished)")
    }
  }

  @Test("a job that is not complete has no file to check")
  func unfinished() async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      expect(try await sandbox.dray("verify", "1"), exits: 2, saying: "its file is not complete")
    }
  }
}
