// What an engine remembers of servers and files: how many connections help, and which files get one.

import DrayCore
import FaultServer
import Synchronization
import Testing

@testable import DrayEngine

private let slow = FaultServer.Answer { $0.rate = 1 << 20 }

@Suite(.serialized) struct ConnectionMemoryTests {
  @Test func aFileWithTwoVersionsGetsOneConnectionAndOtherFilesSeveral() async throws {
    let (old, new) = (
      FaultServer.Version.named("v1", size: SegmentTests.size), FaultServer.Version.named("v2", size: SegmentTests.size)
    )
    let gate = FaultServer.Gate()
    let held = slow.with { $0.holds = [.gate(gate, after: 1 << 20)] }
    try await Site.use(old, held, .changed(to: new), slow, helpful: 2) { site in
      var plan = try site.plan()
      plan.maxConnections = 8
      let watcher = Watcher()
      _ = await site.run(plan, watcher, holding: gate) { site.ranges.count >= 2 }
      #expect(watcher.now.limits.count == 1, "the limit is reported when it begins")
      let before = site.ranges.count
      let later = Watcher()
      let again = await site.run(plan, later)
      #expect(again.wholeSize == SegmentTests.size)
      #expect(site.ranges.dropFirst(before).map { $0 } == [nil])
      #expect(later.now.limits == watcher.now.limits, "and when it applies")

      site.server["/other"] = .init(old, script: [slow])
      var other = try site.plan(try site.request("/other"))
      (other.maxConnections, other.partName) = (8, "other")
      let another = Watcher()
      #expect(await site.run(other, another).wholeSize == SegmentTests.size)
      #expect(site.server.requests("/other").count > 1, "the other files of the server are not limited")
      #expect(another.now.limits.isEmpty)
    }
  }

  /// How many connections an engine finds to help at a server where several do.
  private func learn() async throws -> Int? {
    let learned = Mutex<[String: Int]>([:])
    let memory = ConnectionMemory(["http://127.0.0.1": 1]) { origin, count in learned.withLock { $0[origin] = count } }
    let server = try FaultServer()
    defer { server.stop() }
    let engine = try Engine(connections: memory)
    defer { engine.stop() }
    server["/file"] = .init(.named("v1", size: 48 << 20), script: [FaultServer.Answer { $0.rate = 2 << 20 }])
    let site = Site(server: server, engine: engine, directory: try TemporaryDirectory())
    var plan = try site.plan()
    plan.maxConnections = 8
    #expect(await site.run(plan).wholeSize == 48 << 20)
    let name = "http://127.0.0.1:\(server.port)"
    let found = learned.withLock { $0 }
    #expect(found.allSatisfy { $0.key == name && $0.value <= 8 }, "\(found)")
    return found[name]
  }

  @Test func whatHelpedIsUsedAtOnceByTheNext() async throws {
    // The result is measured. A busy machine may spoil a measurement, but hardly each time. ConnectionGrowthTests
    // proves the rule itself on injected time.
    var helpful = 0
    for _ in 0..<3 where helpful < 2 { helpful = try await learn() ?? 0 }
    #expect(helpful > 1)
  }
}
