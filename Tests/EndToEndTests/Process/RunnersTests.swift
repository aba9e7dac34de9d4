// Several processes on one queue: Q4.

import FaultServer
import Foundation
import Testing

@Suite("Runners")
struct RunnersTests {
  /// Puts `count` files on the server and into the queue.
  private func fill(_ sandbox: Sandbox, _ count: Int, script: [Answer]) async throws -> [String: Content] {
    var files: [String: Content] = [:]
    for index in 0..<count {
      let version = Version.named("file-\(index)", size: 100_000)
      sandbox.server["/f\(index)"] = .init(version, script: script)
      files["f\(index)"] = version.content
    }
    expect(
      try await sandbox.dray(["add"] + files.keys.sorted().map { sandbox.server.url("/" + $0) }), exits: 0)
    return files
  }

  @Test("Q4 two runners at once: each job is fetched once")
  func twoRunners() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let files = try await fill(sandbox, 24, script: [Answer { $0.latency = 0.05 }])
      let runners = try (0..<2).map { _ in try sandbox.start(["run", "-j", "3"]) }
      for runner in runners { expect(try await runner.finish(), exits: 0) }
      // A runner that finds nothing left may end first, while the other still works; both have ended here.
      sandbox.expectFiles(files)
      for name in files.keys {
        #expect(sandbox.server.requests("/" + name).count == 1, "\(name)")
      }
    }
  }

  @Test("Q4 a runner is killed: the other one gets its jobs at once")
  func takeOver() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let files = try await fill(
        sandbox, 6, script: [.held(by: gate, after: 50_000), .normal])
      let first = try sandbox.start(["run", "-j", "3"])
      try await first.wait(for: "three transfers") { gate.arrivals >= 3 }
      let second = try sandbox.start(["run", "-j", "3", "--wait"])
      try await second.wait(for: "the other three") { gate.arrivals >= 6 }
      try await first.kill9()
      gate.open()
      try await second.wait(for: "all complete", every: 0.1) {
        try await sandbox.jobs().allSatisfy { $0.state == "complete" }
      }
      second.send(SIGINT)
      _ = try await second.finish()
      sandbox.expectFiles(files)
    }
  }

  @Test("P9 a job whose runner died is interrupted for the next process")
  func deadRunner() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let program = try sandbox.start(["get", sandbox.server.url("/f")])
      try await program.wait(for: "the gate") { gate.arrivals > 0 }
      try await sandbox.waitForState("active")
      try await program.kill9()
      #expect(try await sandbox.onlyJob().state == "interrupted")
    }
  }

  @Test("P9 `get` of a job that another runner has does not fetch it a second time")
  func getOfABusyJob() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let get = ["get", sandbox.server.url("/f")]
      let first = try sandbox.start(get)
      try await first.wait(for: "the gate") { gate.arrivals > 0 }
      let second = try sandbox.start(get)
      try await second.wait(for: "word of the first") { second.errors.contains("another dray is") }
      gate.open()
      expect(try await first.finish(), exits: 0)
      expect(try await second.finish(), exits: 0)
      #expect(sandbox.server.requests("/f").count == 1)
      sandbox.expectFiles(["f": ResumeCase.v1.content])
    }
  }

  @Test("Q4 a runner stopped long and continued writes nothing after its lease was lost")
  func stoppedRunner() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // A stopped process keeps its lock, so no other process may touch its jobs.
      let gate = Gate()
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.held(by: gate, after: ResumeCase.half), .normal])
      let first = try sandbox.start(["get", sandbox.server.url("/f")])
      try await first.wait(for: "the gate") { gate.arrivals > 0 }
      // Not during a write: a program stopped there holds the store, which is a different case.
      try await first.wait(for: "its checkpoint", every: 0.1) {
        try await sandbox.shown(1)?.recorded == ResumeCase.half
      }
      try await Task.sleep(for: .seconds(0.3))
      first.send(SIGSTOP)
      let other = try await sandbox.dray("run", seconds: 30)
      #expect(other.status == 0, "\(other)")
      #expect(sandbox.server.requests("/f").count == 1, "\(other)")
      gate.open()
      first.send(SIGCONT)
      expect(try await first.finish(), exits: 0)
      sandbox.expectFiles(["f": ResumeCase.v1.content])
    }
  }

  @Test("`run --wait` takes a job that is added during the wait")
  func waitForMore() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let runner = try sandbox.start(["run", "--wait"])
      try await Task.sleep(for: .seconds(0.5))
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      try await runner.wait(for: "the request") { !sandbox.server.requests("/f").isEmpty }
      try await sandbox.waitForState("complete")
      runner.send(SIGTERM)
      _ = try await runner.finish()
      sandbox.expectFiles(["f": AnswerCase.version.content])
    }
  }
}
