// A runner that receives a stop signal, or is killed: Q1, Q2.

import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("Signals")
struct SignalTests {
  @Test("Q1 a signal ends a run that waits for a retry, and `run --wait` that waits for jobs")
  func stopWhileWaiting() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/g"] = .init(AnswerCase.version)
      let run = try sandbox.start(["run", "--wait"])
      expect(try await sandbox.dray("add", sandbox.server.url("/g")), exits: 0)
      try await run.wait(for: "the only job", every: 0.1) { try await sandbox.onlyJob().state == "complete" }
      // The run has nothing left to do. It has time to end, but must not.
      try await Task.sleep(for: .seconds(0.5))
      #expect(run.exit == nil)
      run.send(SIGINT)
      let finished = try await run.finish()
      #expect([0, 130].contains(finished.status), "\(finished)")
      // A wait too long to end during the test. The hold covers all files of the server, so it comes last.
      sandbox.server["/f"] = .init(ResumeCase.v1, script: [.status(503, headers: ["Retry-After: 600"])])
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "word of the retry") { get.errors.contains("retrying at") }
      try await Task.sleep(for: .seconds(0.3))
      get.send(SIGTERM)
      expect(try await get.finish(), exits: 143, saying: "stopped; run it again")
    }
  }

  @Test("Q1 after a signal the last line says how much is kept, and the total")
  func keptBytes() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 4 << 20)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 2 << 20)])
      let get = try sandbox.start(["get", sandbox.server.url("/f")])
      try await get.wait(for: "a checkpoint", every: 0.1) { try await sandbox.shown(1)?.recorded ?? 0 >= 2 << 20 }
      get.send(SIGINT)
      let finished = try await get.finish()
      expect(finished, exits: 130)
      let last = finished.errors.split(separator: "\n").last
      #expect(last == "dray: stopped: 2.0 of 4.0 MiB kept; run it again to continue")
    }
  }

  @Test("Q1 after a signal several jobs have a table: how much of how much is kept of what; `dray run` goes on")
  func keptTable() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 4 << 20)
      for path in ["/one", "/two"] {
        sandbox.server[path] = .init(version, script: [.held(by: gate, after: 2 << 20), .normal])
      }
      expect(try await sandbox.dray("add", sandbox.server.url("/one"), sandbox.server.url("/two")), exits: 0)
      let run = try sandbox.start(["run", "-j", "2"])
      try await run.wait(for: "checkpoints", every: 0.1) {
        let one = try await sandbox.shown(1)?.recorded ?? 0
        let two = try await sandbox.shown(2)?.recorded ?? 0
        return min(one, two) >= 2 << 20
      }
      run.send(SIGINT)
      let finished = try await run.finish()
      expect(finished, exits: 130)
      let lines = finished.errors.split(separator: "\n").suffix(4)
      #expect(lines.first?.split(separator: " ") == ["ID", "KEPT", "DONE", "NAME"], "\(finished)")
      let rows = lines.dropFirst().prefix(2).map { $0.split(separator: " ").joined(separator: " ") }
      #expect(rows == ["1 2.0/4.0 MiB 50 % one", "2 2.0/4.0 MiB 50 % two"], "\(finished)")
      #expect(lines.last == "dray: stopped: 4.0 of 8.0 MiB kept; `dray run` continues", "\(finished)")
      gate.open()
      expect(try await sandbox.dray("run"), exits: 0, saying: "2 done")
      sandbox.expectFiles(["one": version.content, "two": version.content])
    }
  }

  @Test("Q1 a signal that comes as early as possible is handled, never lost", arguments: [SIGINT, SIGTERM, SIGHUP])
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

  @Test("a program that was stopped for longer than its stall time-out does not blame the server")
  func stoppedForLong() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      // So slow that bytes from just before the stop do not count for the time after it.
      let version = Version.named("slow", size: 128 << 10)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 4 << 10 }])
      let get = try sandbox.start(["get", "--stall-timeout", "15", sandbox.server.url("/f")])
      try await get.wait(for: "some bytes") { sandbox.server.bytesSent("/f") > 16 << 10 }
      get.send(SIGSTOP)
      try await Task.sleep(for: .seconds(20))
      get.send(SIGCONT)
      let finished = try await get.finish(seconds: 120)
      expect(finished, exits: 0)
      #expect(sandbox.server.requests("/f").count == 1, "\(finished)")
    }
  }

  @Test("Q2 SIGKILL at random moments, again and again: the exact file in the end", arguments: 0..<6)
  func killAtRandom(series: Int) async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("random-\(series)", size: 6 << 20)
      sandbox.server["/f"] = .init(version, script: [Answer { $0.rate = 1 << 20 }])
      let get = ["get", sandbox.server.url("/f"), "--retry-wait", "0.05"]
      var kills = 0
      var dice = Dice(seed: TestSeed.value("DRAY_RANDOM_SEED") &+ UInt64(series))
      while kills < 9 {
        let program = try sandbox.start(get)
        // Mostly early, when the store is written and the part file is created; sometimes after a checkpoint.
        let range = kills % 3 == 2 ? 2000...2600 : 0...400
        try await Task.sleep(for: .milliseconds(Int.random(in: range, using: &dice)))
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
      var dice = Dice(seed: TestSeed.value("DRAY_RANDOM_SEED"))
      for _ in 0..<12 {
        let program = try sandbox.start(["run", "-j", "4", "--retry-wait", "0.05"])
        try await Task.sleep(for: .milliseconds(Int.random(in: 20...250, using: &dice)))
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
