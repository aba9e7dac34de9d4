// Waits that a server asks for: H9 of CASES.md. Only lower bounds are timed.

import FaultServer
import Foundation
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  /// The time between the first two requests of `path`.
  private func pause(_ server: FaultServer, _ path: String) throws -> Duration {
    let requests = server.requests(path)
    try #require(requests.count >= 2)
    return requests[0].time.duration(to: requests[1].time)
  }

  @Test("H9 seconds and a date are waited for", arguments: [429, 503])
  func waits(status: Int) async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      for path in ["/seconds", "/date"] {
        // Counted from here: on a busy machine, a date that was made before the first fetch may have passed.
        let value = path == "/date" ? httpDate(secondsFromNow: 3) : "1"
        server[path] = .init(
          AnswerCase.version, script: [.status(status, headers: ["Retry-After: \(value)"]), .normal])
        let finished = try await sandbox.dray("get", server.url(path), "--retry-wait", "0.05")
        expect(finished, exits: 0)
        #expect(try pause(server, path) >= .seconds(0.9), "\(finished)")
      }
    }
  }

  @Test(
    "H9 a past date and garbage do not hold anything up",
    arguments: [httpDate(secondsFromNow: -1000), "soon", "-5", ""])
  func doesNotWait(value: String) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(
        AnswerCase.version, script: [.status(503, headers: ["Retry-After: \(value)"]), .normal])
      let finished = try await sandbox.dray(
        "get", sandbox.server.url("/f"), "--retry-wait", "0.05", seconds: 30)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": AnswerCase.version.content], finished)
    }
  }

  @Test("H9 longer than --max-retry-wait: interrupted at once, and the time is told")
  func tooLong() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(
        AnswerCase.version, script: [.status(503, headers: ["Retry-After: 1000000000"])])
      let finished = try await sandbox.dray("get", sandbox.server.url("/f"), seconds: 30)
      expect(finished, exits: 8)
      #expect(sandbox.server.requests("/f").count == 1, "\(finished)")
      #expect(try await sandbox.onlyJob().state == "interrupted", "\(finished)")
    }
  }

  @Test("H9 the wait holds for the whole origin")
  func holdsForTheOrigin() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/a"] = .init(AnswerCase.version, script: [.status(429, headers: ["Retry-After: 2"]), .normal])
      server["/b"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray(
        "get", "-j", "1", server.url("/a"), server.url("/b"), "--retry-wait", "0.05")
      expect(finished, exits: 0)
      let refusal = try #require(server.requests("/a").first?.time)
      let other = try #require(server.requests("/b").first?.time)
      #expect(refusal.duration(to: other) >= .seconds(1.5), "\(finished)")
    }
  }

  @Test("H9 the wait is stored: a new run waits it out too")
  func holdsOverARestart() async throws {
    try await Sandbox.use { sandbox in
      let server = sandbox.server
      server["/f"] = .init(AnswerCase.version, script: [.status(503, headers: ["Retry-After: 9"]), .normal])
      let program = try sandbox.start(["get", server.url("/f")])
      #expect(await server.waitForRequests("/f", count: 1))
      try await Task.sleep(for: .seconds(0.5))
      program.send(SIGINT)
      expect(try await program.finish(), exits: 130)
      let finished = try await sandbox.dray("get", server.url("/f"))
      expect(finished, exits: 0)
      #expect(try pause(server, "/f") >= .seconds(8.5), "\(finished)")
    }
  }
}
