// The machine is suspended: the service does not run for a while. Afterwards the clock has moved on, and servers may
// have given up.

import FaultServer
import Foundation
import Testing

@Suite("Service: suspended and resumed")
struct ServeSuspendTests {
  private static let version = Version.named("v1", size: 3_000_000)

  /// The clients that stay connected.
  private struct Clients {
    let asking: RunningProgram
    let following: RunningProgram

    init(of service: Service) async throws {
      (asking, following) = (try service.asking(), try service.following())
      try await asking.wait(for: "an answer") { asking.answers > 0 }
      try await following.wait(for: "the first event") { following.output.contains("event: counts") }
    }

    /// Expects that both are still served, over their existing connections.
    func expectServed() async throws {
      let answers = asking.answers
      try await asking.wait(for: "answers after it") { asking.answers > answers }
      try await following.wait(for: "the end of the job") { following.output.contains(#""state":"complete""#) }
    }
  }

  /// Runs a job to the gate, suspends the service for some seconds, runs `meanwhile` during the suspension, and waits
  /// for the job's end.
  private func suspended(
    _ script: (Gate) -> [Answer], meanwhile: (Sandbox, Gate) throws -> Void
  ) async throws {
    try await Sandbox.use(connections: 1) { sandbox in
      let gate = Gate()
      sandbox.server["/f"] = .init(Self.version, script: script(gate))
      let service = try await Service.start(in: sandbox)
      let clients = try await Clients(of: service)
      let gid = try await service.add(sandbox.server.url("/f"))
      try await service.program.wait(for: "half of it") {
        try await service.status(of: gid, "completedLength") == "2000000"
      }
      service.program.send(SIGSTOP)
      try await waitUntil("the stop") { service.program.isStopped }
      try meanwhile(sandbox, gate)
      try await Task.sleep(for: .seconds(5))
      service.program.send(SIGCONT)
      #expect(try await service.call("aria2.getGlobalStat") is [String: String])
      try await service.program.wait(for: "the end") { try await service.status(of: gid) == "complete" }
      try await clients.expectServed()
      try await service.stop()
      sandbox.expectFiles(["f": Self.version.content])
    }
  }

  @Test("a transfer continues if its connection survived; so do a WebSocket and the events")
  func goesOn() async throws {
    try await suspended {
      [.held(by: $0, after: 2_000_000)]
    } meanwhile: { _, gate in
      gate.open()
    }
  }

  @Test("a transfer whose connection was reset resumes at its position")
  func resumes() async throws {
    let reset = { (gate: Gate) in Answer.held(by: gate, after: 2_000_000).with { $0.bodyCut = 2_000_000 } }
    try await suspended {
      [reset($0), .normal]
    } meanwhile: { _, gate in
      gate.open()
    }
  }

  @Test("clients that call while it is suspended are answered afterwards, and nothing is done twice")
  func waiting() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      service.program.send(SIGSTOP)
      try await waitUntil("the stop") { service.program.isStopped }
      async let added = service.add(sandbox.server.url("/f"), ["pause": "true"])
      async let listed = service.status("/api/v1/jobs")
      try await Task.sleep(for: .seconds(2))
      service.program.send(SIGCONT)
      #expect(try await added.count == 16)
      #expect(try await listed == "200")
      #expect(try await sandbox.jobs().count == 1)
      try await service.stop()
    }
  }
}
