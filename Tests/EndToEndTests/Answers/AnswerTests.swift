// Drives the program through the Answers table.

import FaultServer
import Foundation
import Testing

@Suite("Answers")
struct AnswerTests {
  @Test("an answer to a transfer from nothing", arguments: AnswerCase.table)
  func answer(_ row: AnswerCase) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: row.script)
      let finished = try await sandbox.dray(
        ["get", sandbox.server.url("/f"), "--retry-wait", "0.05"] + row.options)
      let accepted = [row.status, row.orStatus].compactMap(\.self)
      #expect(accepted.contains(finished.status ?? -1), "\(finished)")
      if let says = row.says { #expect(finished.text.contains(says), "\(finished)") }
      if let requests = row.requests {
        #expect(sandbox.server.requests("/f").count == requests, "\(finished)")
      }
      let job = try await sandbox.onlyJob()
      if let state = row.state { #expect(job.state == state, "\(finished)") }
      switch (finished.status, job.state) {
      case (0, "complete"):
        sandbox.expectFiles(
          ["f": row.script.first?.body.map { .fixed($0) } ?? AnswerCase.version.content], finished)
      case (0, let state):
        Issue.record("exit 0, and the job is \(state): \(finished)")
      case (_, "interrupted"):
        sandbox.expectOnlyPartFile(finished)
      default:
        sandbox.expectNoFiles(finished)
        #expect(job.error != nil && job.partFile == nil, "\(finished)")
      }
    }
  }

  @Test("H13 an answer that goes on after its end: the next job is unharmed", arguments: [false, true])
  func answerGoesOn(isChunked: Bool) async throws {
    try await Sandbox.use { sandbox in
      let other = Version.named("other", size: 50_000)
      sandbox.server["/a"] = .init(
        AnswerCase.version,
        script: [
          Answer {
            if isChunked { $0.framing = .chunked(.init { $0.trailers = ["X-T: 1", "", "HTTP/1.1 200 OK"] }) }
            $0.excess = isChunked ? 0 : 5_000
          }
        ])
      sandbox.server["/b"] = .init(other)
      sandbox.server["/c"] = .init(other)
      let server = sandbox.server
      let finished = try await sandbox.dray(
        "get", "-j", "1", server.url("/a"), server.url("/b"), server.url("/c"), "--retry-wait", "0.05")
      expect(finished, exits: 0)
      sandbox.expectFiles(
        ["a": AnswerCase.version.content, "b": other.content, "c": other.content], finished)
    }
  }

  @Test("H6 credentials: none and wrong ones are 6, right ones pass")
  func credentials() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      sandbox.server.update("/f") { $0.credentials = "ann:secret" }
      let url = sandbox.server.url("/f")
      expect(try await sandbox.dray("get", url), exits: 6)
      let wrong = try await sandbox.dray("get", url, "-u", "ann:wrong-pw-7")
      expect(wrong, exits: 6)
      #expect(!wrong.text.contains("wrong-pw-7"))
      sandbox.expectNoFiles()
      let right = try await sandbox.dray("get", url, "-u", "ann:secret")
      expect(right, exits: 0)
      sandbox.expectFiles(["f": AnswerCase.version.content], right)
    }
  }

  @Test("H6 407 is 6, and the message names the proxy")
  func proxyCredentials() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(
        AnswerCase.version, script: [.status(407, headers: ["Proxy-Authenticate: Basic realm=\"p\""])])
      let finished = try await sandbox.dray(
        "get", "http://files.example/f", "--proxy", sandbox.server.url(""))
      expect(finished, exits: 6, saying: "proxy")
      sandbox.expectNoFiles()
    }
  }

  @Test("a proxy from the option and from the environment is used", arguments: [false, true])
  func proxy(isFromEnvironment: Bool) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let proxy = sandbox.server.url("")
      let option = isFromEnvironment ? [] : ["--proxy", proxy]
      let program = try sandbox.start(["get", "http://files.example/f"] + option) {
        if isFromEnvironment { $0.environment["http_proxy"] = proxy }
      }
      let finished = try await program.finish()
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": AnswerCase.version.content], finished)
      #expect(sandbox.server.requests("/f").map(\.target) == ["http://files.example/f"])
    }
  }

  @Test("a port that nobody listens on is 4, with the reason")
  func refused() async throws {
    try await Sandbox.use { sandbox in
      let port = try RefusingPort()
      let finished = try await sandbox.dray("get", port.url("/f"), "--retries", "1", "--retry-wait", "0.05")
      expect(finished, exits: 4, saying: "Connection refused")
      sandbox.expectNoFiles()
    }
  }
}
