// A runner that is told to stop, or stopped without being told: Q1, Q2 of CASES.md.

import FaultServer
import Foundation
import Testing

@Suite("Signals")
struct SignalTests {
  @Test("Q1 a signal ends a run that waits for a retry, and `run --wait` that waits for jobs")
  func stopWhileWaiting() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.status(503)])
      let get = try sandbox.start(["get", sandbox.server.url("/f"), "--retry-wait", "60"])
      #expect(await sandbox.server.waitForRequests("/f", count: 1))
      try await Task.sleep(for: .seconds(0.3))
      get.send(SIGTERM)
      expect(try await get.finish(seconds: 15), exits: 143)
      expect(try await sandbox.dray("remove", "--all"), exits: 0)
      let run = try sandbox.start(["run", "--wait"])
      try await Task.sleep(for: .seconds(1))
      #expect(run.exit == nil)
      run.send(SIGINT)
      let finished = try await run.finish(seconds: 15)
      #expect([0, 130].contains(finished.status), "\(finished)")
    }
  }

  @Test("Q1 a signal that comes as soon as it can is obeyed, never lost", arguments: [SIGINT, SIGTERM, SIGHUP])
  func early(signal: Int32) async throws {
    try await Sandbox.use { sandbox in
      expect(try await sandbox.dray("add", sandbox.server.url("/f")), exits: 0)
      for _ in 0..<4 {
        let waiters = try (0..<8).map { _ in try sandbox.start(["wait", "1"]) }
        for waiter in waiters {
          try await waiter.wait(for: "its first word", every: 0.001) { waiter.errors.contains("waiting for job 1") }
          waiter.send(signal)
        }
        for waiter in waiters { expect(try await waiter.finish(seconds: 60), exits: 128 + signal) }
      }
    }
  }

  @Test("Q2 SIGKILL at random moments, again and again: the exact file in the end", arguments: 0..<6)
  func killAtRandom(series: Int) async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("random-\(series)", size: 6 << 20)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 1 << 20 }])
      let get = ["get", sandbox.server.url("/f"), "--retry-wait", "0.05"]
      var kills = 0
      while kills < 9 {
        let program = try sandbox.start(get)
        // Mostly early, where the store is written and the part file is made; now and then past a checkpoint.
        try await Task.sleep(
          for: .milliseconds(kills % 3 == 2 ? .random(in: 2000...2600) : .random(in: 0...400)))
        let finished = try await program.kill9()
        kills += 1
        guard finished.exit == .signal(SIGKILL) else { break }
        #expect(
          !sandbox.names().contains("f") || version.content.difference(fromFileAt: sandbox.path("f")) == nil)
        #expect(sandbox.names().filter(sandbox.isPartFile).count <= 1, "one job has one part file")
      }
      sandbox.server.update("/f") { $0.script = [] }
      let finished = try await sandbox.dray(get)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": version.content], finished)
      #expect(try await sandbox.onlyJob().state == "complete")
    }
  }

  @Test(
    "Q2 SIGKILL at random moments of a queue of small files: every one exact, none twice, no part file left")
  func killAQueueAtRandom() async throws {
    try await Sandbox.use { sandbox in
      var files: [String: Content] = [:]
      for index in 0..<40 {
        let version = Version.named("small-\(index)", size: 20_000)
        sandbox.server["/s\(index)"] = .init(version, script: [Answer { $0.latency = 0.02 }])
        files["s\(index)"] = version.content
      }
      let urls = files.keys.sorted().map { sandbox.server.url("/" + $0) }
      expect(try await sandbox.dray(["add"] + urls), exits: 0)
      for _ in 0..<12 {
        let program = try sandbox.start(["run", "-j", "4", "--retry-wait", "0.05"])
        try await Task.sleep(for: .milliseconds(.random(in: 20...250)))
        try await program.kill9()
      }
      let run = try await sandbox.dray("run", "-j", "4")
      expect(run, exits: 0)
      sandbox.expectFiles(files, run)
      let jobs = try await sandbox.jobs()
      #expect(jobs.count == 40 && jobs.allSatisfy { $0.state == "complete" })
    }
  }
}
