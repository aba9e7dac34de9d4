// Digests offered by servers: checked by default, recorded with the version, reported.

import FaultServer
import Foundation
import Testing

@Suite("Offered digests")
struct OfferedDigestTests {
  static let version = Version.named("offered", size: 300_000)
  /// Large enough for the engine to hash it during the transfer.
  static let large = Version.named("large", size: 20 << 20)

  static func base64(_ digest: some Sequence<UInt8>) -> String { Data(digest).base64EncodedString() }

  /// The field of a correct server.
  static func field(_ version: Version) -> String {
    "Repr-Digest: sha-256=:\(base64(Sandbox.digest(of: version.content))):"
  }

  static func answer(_ field: String) -> FaultServer.Answer { .normal.with { $0.headers.append(field) } }

  @Test(
    "a valid digest is checked, recorded with its source, and shown",
    arguments: [Self.version, Self.large])
  func right(version: Version) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(version, script: [Self.answer(Self.field(version))])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), "--progress", "json")
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": version.content], finished)
      #expect(sandbox.server.requests("/f").first?["Want-Repr-Digest"]?.hasPrefix("sha-256=10") ?? false)
      let hex = Sandbox.sha256(version.content)
      #expect(finished.output.contains("\"digest\":\"sha-256=\(hex)\",\"digestSource\":\"Repr-Digest\""), "\(finished)")
      let job = try await sandbox.onlyJob()
      #expect(job.digest == "sha-256=\(hex)" && job.digestSource == "Repr-Digest")
      expect(try await sandbox.dray("show", "1"), exits: 0, saying: "sha-256=\(hex) (Repr-Digest)")
    }
  }

  @Test(
    "a wrong digest is a failure, and --verify none accepts the file",
    arguments: [
      "Repr-Digest: sha-256=:\(base64([UInt8](repeating: 1, count: 32))):", "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==",
      "x-goog-hash: crc32c=AAAAAA==", "x-amz-checksum-crc64nvme: AAAAAAAAAAA=",
      "Digest: SHA-256=\(base64([UInt8](repeating: 1, count: 32)))",
    ])
  func wrong(field: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version, script: [Self.answer(field)])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      let name = String(field.prefix { $0 != ":" })
      expect(finished, exits: 9, saying: "by \(name) it is ")
      sandbox.expectNoFiles(finished)
      #expect(sandbox.server.requests("/f").count == 1)
      let taken = try await sandbox.dray("get", "--verify", "none", sandbox.server.url("/f"))
      expect(taken, exits: 0)
      sandbox.expectFiles(["f": Self.version.content], taken)
      expect(try await sandbox.dray("get", "-o", "-", sandbox.server.url("/f")), exits: 9, saying: "by \(name) it is ")
    }
  }

  @Test("a digest in the trailers counts")
  func trailer() async throws {
    try await Sandbox.use { sandbox in
      func answer(_ field: String) -> FaultServer.Answer {
        .normal.with { $0.framing = .chunked(.init { $0.trailers = [field] }) }
      }
      sandbox.server["/f"] = .init(Self.version, script: [answer(Self.field(Self.version))])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"))
      expect(finished, exits: 0, saying: "verified (Repr-Digest)")
      sandbox.expectFiles(["f": Self.version.content], finished)
      let wrong = "Repr-Digest: sha-256=:\(Self.base64([UInt8](repeating: 1, count: 32))):"
      sandbox.server["/g"] = .init(Self.version, script: [answer(wrong)])
      expect(try await sandbox.dray("get", sandbox.server.url("/g")), exits: 9, saying: "by Repr-Digest it is ")
      expect(try await sandbox.dray("get", "-o", "-", sandbox.server.url("/g")), exits: 9)
      expect(try await sandbox.dray("get", "--verify", "none", sandbox.server.url("/g")), exits: 0)
    }
  }

  @Test("the user's digest decides; a server that differs is reported, or refused before its bytes come")
  func givenToo() async throws {
    try await Sandbox.use { sandbox in
      let given = "sha-256=\(Sandbox.sha256(Self.version.content))"
      sandbox.server["/other"] = .init(
        Self.version, script: [Self.answer("Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==")])
      let finished = try await sandbox.dray("get", "--checksum", given, sandbox.server.url("/other"))
      expect(finished, exits: 0, saying: "the server's Content-MD5 is md5=00000000000000000000000000000000")
      sandbox.expectFiles(["other": Self.version.content], finished)
      // The same algorithm: the head alone decides.
      let wrong = "Repr-Digest: sha-256=:\(Self.base64([UInt8](repeating: 1, count: 32))):"
      sandbox.server["/same"] = .init(Self.version, script: [Self.answer(wrong)])
      expect(
        try await sandbox.dray("get", "--checksum", given, sandbox.server.url("/same")), exits: 9,
        saying: "the server has another file: its Repr-Digest is")
      expect(
        try await sandbox.dray("get", "--verify", "none", "--checksum", given, sandbox.server.url("/same")), exits: 0)
    }
  }

  @Test("--verify none also forgets a digest offered with the first half")
  func noneOnTheWay() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let wrong = "Repr-Digest: sha-256=:\(Self.base64([UInt8](repeating: 1, count: 32))):"
      sandbox.server["/f"] = .init(
        Self.version, script: [.held(by: gate, after: 200_000).with { $0.headers.append(wrong) }, .normal])
      let get = ["get", sandbox.server.url("/f")]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: 200_000, stop: .interrupt)
      #expect(job.received > 0)
      expect(try await sandbox.dray(get + ["--verify", "none"]), exits: 0)
      sandbox.expectFiles(["f": Self.version.content])
      #expect(sandbox.server.requests("/f").last?["Range"] != nil)
    }
  }

  @Test("an offered digest proves the rest if nothing else identifies the version, also after kill -9")
  func proves() async throws {
    try await Sandbox.use { sandbox in
      let plain = Version(Self.large.content)
      let gate = Gate()
      sandbox.server["/f"] = .init(
        plain,
        script: [
          .held(by: gate, after: 12 << 20).with { $0.headers.append(Self.field(plain)) },
          Self.answer(Self.field(plain)),
        ])
      let get = ["get", "-x", "1", sandbox.server.url("/f")]
      let job = try await sandbox.runHalf(get, gate: gate, bytes: 12 << 20, stop: .kill)
      #expect(job.received > 0)
      let finished = try await sandbox.dray("run")
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": plain.content], finished)
      let asked = sandbox.server.requests("/f").last
      #expect(asked?["Range"] != nil, "the rest was to be asked for: \(finished)")
    }
  }
}
