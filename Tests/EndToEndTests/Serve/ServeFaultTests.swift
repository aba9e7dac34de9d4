// A killed service, two services that start at once, clients that repeat calls, and many calls at once.

import FaultServer
import Foundation
import Testing

@Suite("Service: faults")
struct ServeFaultTests {
  @Test("answered calls survive kill -9; a client that repeats its GID gets the same job, which continues")
  func killed() async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 3_000_000)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 2_000_000), .normal])
      let options = ["gid": "00c0ffee00c0ffee"]
      var service = try await Service.start(in: sandbox)
      #expect(try await service.add(sandbox.server.url("/f"), options) == "00c0ffee00c0ffee")
      // Wait until received bytes are recorded.
      try await service.program.wait(for: "a checkpoint", every: 0.1) { try await sandbox.recorded() == 2_000_000 }
      _ = try await service.program.kill9()
      service = try await Service.start(in: sandbox, port: service.port)
      #expect(try await service.add(sandbox.server.url("/f"), options) == "00c0ffee00c0ffee")
      try await service.program.wait(for: "the end") { try await service.status(of: "00c0") == "complete" }
      // The same GID after completion.
      #expect(try await service.add(sandbox.server.url("/f"), options) == "00c0ffee00c0ffee")
      #expect(
        try await service.call("aria2.addUri", [[sandbox.server.url("/g")], options]) as? String
          == "!GID 00c0ffee00c0ffee is already used.")
      try await service.stop()
      #expect(try await sandbox.jobs().count == 1)
      #expect(sandbox.server.requests("/f").last?["Range"] == "bytes=1934464-")
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("5,000 jobs added by one call all survive kill -9")
  func many() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, ["-j", "1"])
      let options = ["pause": "true"]
      let calls = (0..<5000).map { number -> [String: Any] in
        ["methodName": "aria2.addUri", "params": [[sandbox.server.url("/\(number)")], options] as [Any]]
      }
      let answer = try await service.call("system.multicall", [calls])
      _ = try await service.program.kill9()
      let gids = try #require(answer as? [[String]]).compactMap(\.first)
      #expect(gids.count == 5000 && Set(gids).count == 5000)
      let jobs = try await sandbox.jobs()
      #expect(jobs.count == 5000 && jobs.allSatisfy { $0.state == "paused" })
    }
  }

  @Test("of two services that start at the same moment one serves, and the other reports it and exits")
  func twoAtOnce() async throws {
    try await Sandbox.use { sandbox in
      for _ in 0..<3 {
        let words = ["serve", "--root", sandbox.downloads, "--listen", "127.0.0.1:0"]
        let programs = [try sandbox.start(words), try sandbox.start(words)]
        try await waitUntil("one that has left, and one that serves") {
          programs.contains { $0.exit != nil } && programs.contains { $0.errors.contains("serves at") }
        }
        let other = try #require(programs.first { $0.exit != nil })
        expect(try await other.finish(), exits: 1, saying: "runs already")
        let one = try #require(programs.first { $0 !== other })
        one.send(SIGTERM)
        expect(try await one.finish(), exits: 143)
      }
    }
  }

  @Test("a job added paused at the first place never starts, and is the first")
  func place() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, ["-j", "1"])
      let options = ["pause": "true"]
      let first = try await service.add(sandbox.server.url("/a"), options)
      let answer = try await service.call("aria2.addUri", [[sandbox.server.url("/b")], options, 0])
      let second = try #require(answer as? String)
      let waiting = try #require(try await service.call("aria2.tellWaiting", [0, 9, ["gid"]]) as? [[String: String]])
      #expect(waiting.compactMap { $0["gid"] } == [second, first])
      try await service.stop()
      #expect(sandbox.server.requests.isEmpty)
    }
  }
}
