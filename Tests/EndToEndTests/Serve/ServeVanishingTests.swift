// Clients that vanish in mid-message, and input that is not a message.

import FaultServer
import Foundation
import Testing

@Suite("Service: clients that vanish")
struct ServeVanishingTests {
  @Test("input that is not HTTP, and JSON without an end, change nothing")
  func nonsense() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox)
      for text in [
        "", "GET", "POST /jsonrpc HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 1000\\r\\n\\r\\n{\\\"id\\\":1",
        "\\x16\\x03\\x01\\x00", "GET / HTTP/1.1\\r\\n",
      ] {
        let line = "exec 3<>/dev/tcp/127.0.0.1/\(service.port) && printf \"\(text)\" >&3"
        _ = try await sandbox.shell(line)
      }
      let deep = String(repeating: "[", count: 100_000)
      let file = try sandbox.write(deep, to: "../streams/deep")
      #expect(try await service.curl("/jsonrpc", ["--data-binary", "@\(file)"]).output.contains("-32700"))
      #expect(try await service.call("aria2.getGlobalStat") is [String: String])
      try await service.stop()
    }
  }

  /// The descriptors and the memory of a service after this many more clients.
  private func after(_ count: Int, _ service: Service, like before: Footprint) async throws -> Footprint {
    let program = try service.sandbox.launch(
      toolPath("python3"), [Service.script("vanish.py"), "\(service.port)", "\(count)"])
    expect(try await program.finish(), exits: 0)
    // Other clients are served at once.
    #expect(try await service.call("aria2.getGlobalStat") is [String: String])
    try await service.program.wait(for: "their descriptors", seconds: 60) {
      (Footprint(of: service.program.pid)?.descriptors ?? .max) <= before.descriptors
    }
    return try #require(Footprint(of: service.program.pid))
  }

  @Test(
    "hundreds of clients break off in the middle, by an end or a reset: others are served, and nothing leaks")
  func many() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 200_000))
      let service = try await Service.start(in: sandbox)
      let asking = try service.asking()
      try await asking.wait(for: "an answer") { asking.answers > 0 }
      let before = try #require(Footprint(of: service.program.pid))
      let first = try await after(10, service, like: before)
      let last = try await after(30, service, like: before)
      #expect(last.memory < first.memory + (8 << 20), "\(before), \(first), \(last)")
      let answers = asking.answers
      try await asking.wait(for: "the client that stays") { asking.answers > answers }
      let gid = try await service.add(sandbox.server.url("/f"))
      try await service.program.wait(for: "the end") { try await service.status(of: gid) == "complete" }
      try await service.stop()
    }
  }
}
