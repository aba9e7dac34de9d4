// The same command again after `kill -9`: its job is interrupted by then, and takes the options that are given now.

import FaultServer
import Foundation
import Testing

@Suite("The same command after a kill")
struct KilledAgainTests {
  /// Options of the repeated command, and what becomes of them.
  struct Again: Sendable, CustomTestStringConvertible {
    let words: [String]
    var status: Int32 = 0
    let said: String

    var testDescription: String { words.joined(separator: " ") }
  }

  static let all: [Again] = [
    Again(words: ["--verify", "require"], status: 9, said: "no digest of it is offered"),
    Again(words: ["--checksum", "sha-256=" + String(repeating: "0", count: 64)], status: 9, said: "the digest is"),
    Again(words: ["--expect-type", "image/png"], status: 9, said: "expected image/png"),
    Again(words: ["--max-filesize", "1000"], status: 3, said: "more than the allowed 1000"),
    Again(words: ["--limit-rate", "off"], said: "job 1: --limit-rate replaced; its other options stay"),
    Again(words: ["-H", "X-Own: 1"], said: "job 1: --header replaced; its other options stay"),
  ]

  @Test("each option replaces its own value, and judges the file", arguments: all)
  func again(_ again: Again) async throws {
    try await Sandbox.use { sandbox in
      let (gate, version) = (Gate(), AnswerCase.version)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 100_000), .normal])
      let url = sandbox.server.url("/f")
      let program = try sandbox.start(["get", "--limit-rate", "20M", url])
      try await program.wait(for: "some bytes") { (sandbox.server.requests("/f").last?.bodySent ?? 0) >= 100_000 }
      try await program.kill9()
      gate.open()
      let finished = try await sandbox.dray(["get"] + again.words + [url])
      expect(finished, exits: again.status, saying: again.said)
      #expect(!finished.text.contains("is being transferred"), "\(finished)")
      if again.status == 0 {
        sandbox.expectFiles(["f": version.content], finished)
      } else {
        #expect(!sandbox.names().contains("f"), "\(finished)")
      }
      if again.words[0] == "-H" { #expect(sandbox.server.requests("/f").last?["X-Own"] == "1") }
    }
  }

  @Test("add changes the job that a killed runner left, too")
  func add() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.held(by: gate, after: 100_000), .normal])
      let url = sandbox.server.url("/f")
      let program = try sandbox.start(["get", url])
      try await program.wait(for: "some bytes") { (sandbox.server.requests("/f").last?.bodySent ?? 0) >= 100_000 }
      try await program.kill9()
      gate.open()
      expect(try await sandbox.dray("add", "--verify", "require", url), exits: 0, saying: "job 1: --verify replaced")
      #expect(try await sandbox.onlyJob().state == "interrupted")
      expect(try await sandbox.dray("run"), exits: 9, saying: "no digest of it is offered")
    }
  }
}
