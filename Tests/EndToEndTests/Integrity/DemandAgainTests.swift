// Options that judge a file, given again for a file that is complete or being transferred (P12).

import FaultServer
import Foundation
import Testing

@Suite("Demands on a file that is there")
struct DemandAgainTests {
  struct Demand: Sendable, CustomTestStringConvertible {
    let words: [String]
    var status: Int32 = 9
    var said: String?
    /// The list of digests beside the file.
    var list: String?

    var testDescription: String { words.joined(separator: " ") + (list.map { " with \($0.prefix(4))" } ?? "") }
  }

  private static let version = AnswerCase.version
  private static let right = Sandbox.sha256(version.content)
  private static let wrong = String(repeating: "0", count: 64)

  static let demands: [Demand] = [
    Demand(words: ["--checksum", "sha-256=\(wrong)"], said: "its digest is \(right), expected \(wrong)"),
    Demand(words: ["--checksum", "sha-256=\(right)"], status: 0),
    Demand(words: ["--verify", "require"], said: "no digest of it is offered, but one is required"),
    Demand(words: ["--verify", "require"], status: 0, list: right),
    Demand(words: ["--verify", "require"], said: "/f.sha256 it is 0000", list: wrong),
    Demand(words: ["--verify", "auto"], status: 0, said: "no digest of it was found"),
    Demand(words: ["--verify", "auto"], said: "/f.sha256 it is 0000", list: wrong),
    Demand(words: ["--expect-type", "image/png"], said: "expected image/png"),
    Demand(words: ["--max-filesize", "1000"], status: 3, said: "more than the allowed 1000"),
    Demand(words: ["--max-filesize", "1G"], status: 0),
  ]

  @Test("a complete file is judged, whether or not the server is asked", arguments: demands, [false, true])
  func complete(_ demand: Demand, ifChanged: Bool) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", url), exits: 0)
      if let list = demand.list { sandbox.server["/f.sha256"] = DigestListTests.text("\(list)  f\n") }
      let asked = sandbox.server.requests("/f").count
      let words = ["get"] + (ifChanged ? ["--if-changed"] : []) + demand.words
      let finished = try await sandbox.dray(words + [url])
      expect(finished, exits: demand.status)
      if let said = demand.said, !ifChanged || demand.status != 0 {
        #expect(finished.text.localizedCaseInsensitiveContains(said), "\(finished)")
      }
      // The file is the user's, whatever the verdict.
      sandbox.expectFiles(["f": Self.version.content], finished)
      #expect((sandbox.server.requests("/f").count > asked) == ifChanged)
      if demand.status == 0, let list = demand.list {
        let job = try await sandbox.onlyJob()
        #expect(job.digest == "sha-256=\(list)" && job.digestSource == sandbox.server.url("/f.sha256"))
      }
    }
  }

  @Test(
    "a file that no job knows any more is judged, too",
    arguments: [
      Demand(words: ["--verify", "require"], said: "no digest of it is offered"),
      Demand(words: ["--expect-type", "image/png"], said: "expected image/png"),
      Demand(words: ["--max-filesize", "1000"], status: 3, said: "more than the allowed 1000"),
    ])
  func forgotten(_ demand: Demand) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(Self.version)
      let words = ["-o", "f", sandbox.server.url("/f")]
      expect(try await sandbox.dray(["get"] + words), exits: 0)
      expect(try await sandbox.dray("remove", "1"), exits: 0)
      expect(try await sandbox.dray(["get"] + words), exits: 0, saying: "up to date")
      expect(try await sandbox.dray(["get"] + demand.words + words), exits: demand.status, saying: demand.said)
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  /// Without `-N`, a digest that is given is compared with the bytes that come.
  static let ofUnknown: [Demand] = [
    Demand(words: ["--verify", "auto"], status: 0), Demand(words: ["-N", "--verify", "auto"], status: 0),
    Demand(words: ["--verify", "auto"], status: 0, list: Sandbox.sha256(large.content)),
    Demand(words: ["-N", "--verify", "auto"], status: 0, list: Sandbox.sha256(large.content)),
    Demand(words: ["--verify", "auto"], said: "/f.sha256 it is 0000", list: wrong),
    Demand(words: ["-N", "--verify", "auto"], said: "/f.sha256 it is 0000", list: wrong),
    Demand(words: ["-N", "--checksum", "sha-256=\(wrong)"], said: "its digest is"),
  ]
  /// Large enough to be judged before its bytes are here.
  private static let large = Version.named("large", size: 600_000)

  @Test(
    "a file of another program that only the server names is judged once, without the server's bytes",
    arguments: ofUnknown)
  func unknown(_ demand: Demand) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      defer { gate.open() }
      let time = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"
      sandbox.server["/f"] = .init(
        Self.large, script: [.held(by: gate, after: 100_000).with { $0.headers = [time] }])
      try Self.large.content.write(toFileAt: sandbox.path("f"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 784_111_777)], ofItemAtPath: sandbox.path("f"))
      if let list = demand.list { sandbox.server["/f.sha256"] = DigestListTests.text("\(list)  f\n") }
      let finished = try await sandbox.dray(["get"] + demand.words + [sandbox.server.url("/f")])
      expect(finished, exits: demand.status, saying: demand.said ?? "up to date")
      sandbox.expectFiles(["f": Self.large.content], finished)
      #expect(sandbox.server.requests("/f").count == 1)
      let job = try await sandbox.onlyJob()
      #expect(demand.status != 0 || job.state == "complete" && (job.digest == nil) == (demand.list == nil))
    }
  }

  @Test(
    "a file that was edited is judged only by a digest that is demanded, with its own bytes",
    arguments: [
      Demand(words: [], status: 0, said: "changed here", list: right),
      Demand(words: ["--verify", "auto"], status: 0, said: "changed here", list: right),
      Demand(words: ["--verify", "require"], said: "/f.sha256 it is \(right)", list: right),
      Demand(words: ["--checksum", "sha-256=\(right)"], said: "expected \(right)"),
      Demand(words: ["--checksum", "sha-256=\(edit)"], status: 0, said: "changed here"),
    ])
  func edited(_ demand: Demand) async throws {
    try await Sandbox.use { sandbox in
      let field = OfferedDigestTests.field(Self.version)
      sandbox.server["/f"] = .init(Self.version, script: [OfferedDigestTests.answer(field)])
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", url), exits: 0)
      let known = try await sandbox.onlyJob().digest
      try sandbox.write("mine", to: "f")
      if let list = demand.list { sandbox.server["/f.sha256"] = DigestListTests.text("\(list)  f\n") }
      let finished = try await sandbox.dray(["get", "-N"] + demand.words + [url])
      expect(finished, exits: demand.status, saying: demand.said)
      #expect(sandbox.read("f") == "mine")
      // The record stays that of the fetched version.
      if demand.status == 0 { #expect(try await sandbox.onlyJob().digest == known) }
    }
  }

  private static let edit = Sandbox.sha256(.fixed("mine".utf8))

  @Test(
    "a transfer by another process is not said to have checked what it does not check",
    arguments: [["--verify", "require"], ["--expect-type", "image/png"], ["--max-filesize", "1000"]])
  func active(_ words: [String]) async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: [.held(by: gate, after: 100_000), .normal])
      let url = sandbox.server.url("/f")
      let program = try sandbox.start(["get", url])
      try await program.wait(for: "some bytes") { (sandbox.server.requests("/f").last?.bodySent ?? 0) >= 100_000 }
      expect(
        try await sandbox.dray(["get"] + words + [url]), exits: 1,
        saying: "another process transfers it as job 1, without this")
      gate.open()
      expect(try await program.finish(), exits: 0)
    }
  }
}
