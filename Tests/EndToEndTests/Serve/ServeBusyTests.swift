// Another program holds the job store for seconds, such as a manual copy or repair, while clients call the service.

import FaultServer
import Foundation
import Testing

@Suite("Service: the store is held by another program")
struct ServeBusyTests {
  /// Holds a lock of the store until it is killed.
  private func hold(_ sandbox: Sandbox, _ lock: String) async throws -> RunningProgram {
    let code = """
      import sqlite3, sys, time
      store = sqlite3.connect(sys.argv[1], timeout=60, isolation_level=None)
      store.execute(sys.argv[2])
      print("held", flush=True)
      time.sleep(600)
      """
    let words = ["-c", code, sandbox.home + "/dray.sqlite", lock]
    let program = try sandbox.launch(toolPath("python3"), words)
    try await program.wait(for: "the lock", seconds: 60) { program.output.contains("held") }
    return program
  }

  private func pause(_ gid: String, _ service: Service) async throws -> String? {
    try await service.call("aria2.pause", [gid]) as? String
  }

  @Test(
    "reads work, changes wait, and no accepted change is lost",
    arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
  func held(lock: String) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      let version = Version.named("v1", size: 300_000)
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: 200_000)])
      for name in ["/a", "/b"] { sandbox.server[name] = .init(version) }
      let service = try await Service.start(in: sandbox)
      let running = try await service.add(sandbox.server.url("/f"))
      try await service.program.wait(for: "a checkpoint") { try await sandbox.recorded() == 200_000 }
      let holder = try await hold(sandbox, lock)
      // No write is pending yet.
      #expect(try await service.status(of: running) == "active")
      #expect(try await service.api("GET", "/jobs").status == "200")
      let options = ["gid": "00c0ffee00c0ffee", "pause": "true"]
      async let added = service.add(sandbox.server.url("/a"), options)
      async let posted = service.post(service.adding("/b", paused: true))
      async let paused = pause(running, service)
      try await Task.sleep(for: .seconds(2))
      // Pending writes do not block reads.
      #expect(try await service.status(of: running) == "active")
      for path in ["/jobs", "/queue", "/limits"] { #expect(try await service.api("GET", path).status == "200") }
      #expect(try await service.status("/") == "200")
      #expect(service.program.exit == nil)
      try await holder.kill9()
      #expect(try await added == "00c0ffee00c0ffee")
      let status = try await posted
      #expect(status == "201")
      #expect(try await paused == running)
      try await service.program.wait(for: "the pause") { try await service.status(of: running) == "paused" }
      #expect(try await sandbox.jobs().map(\.state) == ["paused", "paused", "paused"])
      gate.open()
      try await service.call("aria2.unpauseAll")
      try await service.program.wait(for: "the end") { try await sandbox.jobs().allSatisfy { $0.state == "complete" } }
      try await service.stop()
      sandbox.expectFiles(["f": version.content, "a": version.content, "b": version.content])
    }
  }

  @Test("a client that gives up its wait and repeats the call has one job")
  func impatient() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      let holder = try await hold(sandbox, "BEGIN IMMEDIATE")
      let words = ["-H", "Content-Type: application/json", "-H", "Idempotency-Key: once", "-d"]
      let body = service.adding("/a", paused: true)
      let gone = try await service.curl("/api/v1/jobs", words + [body, "--max-time", "1"])
      #expect(gone.status == 28, "\(gone)")
      async let again = service.post(body, key: "once")
      try await Task.sleep(for: .milliseconds(500))
      try await holder.kill9()
      #expect(try await again == "201")
      #expect(try await sandbox.jobs().count == 1)
      try await service.stop()
    }
  }
}
