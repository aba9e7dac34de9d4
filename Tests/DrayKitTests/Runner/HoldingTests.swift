// Servers that ask to wait or do not answer, and the jobs that were claimed ahead or come after.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct HoldingTests {
  /// A host that takes connections and says nothing.
  private final class SilentHost: Sendable {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let descriptor = descriptor
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      try #require(isBound && listen(descriptor, 64) == 0)
      port = address.sin_port.bigEndian
    }

    deinit { close(descriptor) }
  }

  /// Many are claimed ahead, because the files end quickly.
  @Test("C10 after a refusal no job of the origin starts before the time that the server named")
  func claimedAhead() async throws {
    try await KitFixture.use { fixture in
      let count = 300
      for n in 0..<count {
        let script: [FaultServer.Answer] = n == 150 ? [.status(429, headers: ["Retry-After: 1"]), .normal] : []
        try await fixture.add("/f\(n)", .named("v\(n)", size: 100), script) { $0.retries = 0 }
      }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 1 }
      #expect(try await run.summary().complete == count)
      let refused = try #require(fixture.server.requests("/f150").first).time
      let during = (0..<count).flatMap { fixture.server.requests("/f\($0)") }.filter {
        $0.time > refused && $0.time - refused < .milliseconds(900)
      }
      #expect(during.isEmpty)
      #expect(run.starts().count == count + 1)
    }
  }

  @Test("H20 after an answer that leaves no request, none is sent before the reset, and none is refused")
  func noneLeft() async throws {
    try await KitFixture.use { fixture in
      let (count, window) = (18, 9)
      for n in 0..<count {
        let answer = FaultServer.Answer.normal.with {
          $0.headers = [
            "X-RateLimit-Remaining: \(window - 1 - n % window)", "X-RateLimit-Reset: \(n < window ? 1 : 600)",
          ]
        }
        try await fixture.add("/f\(n)", .named("v\(n)", size: 100), [answer])
      }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 1 }
      #expect(try await run.summary().complete == count)
      let last = try #require(fixture.server.requests("/f8").first).time
      let next = try #require(fixture.server.requests("/f9").first).time
      #expect(next - last >= .milliseconds(900))
      let holds = try await fixture.store.holds(now: Date().timeIntervalSince1970)
      #expect(holds.map(\.status) == [200])
    }
  }

  /// A job is given up if its server never stops refusing.
  @Test func aServerThatOnlyRefuses() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(429, headers: ["RateLimit-Reset: 1"])]) { $0.retries = 0 }
      #expect(try await fixture.run().failed == 1)
      #expect(try await fixture.job(id).state == .failed)
      // The first wait is free.
      #expect(fixture.server.requests("/f").count == 2)
    }
  }

  @Test("jobs behind silent hosts do not wait until those are given up")
  func silentHosts() async throws {
    try await KitFixture.use { fixture in
      let hosts = try (0..<30).map { _ in try SilentHost() }
      let silent = try hosts.map { host in
        var job = try fixture.specification("/s\(host.port)")
        job.request.url = try RequestURL.parse("http://127.0.0.1:\(host.port)/s").url
        return job
      }
      _ = try await fixture.manager.add(silent)
      for n in 0..<10 { try await fixture.add("/g\(n)", .named("g\(n)", size: 1000)) }
      let run = try await Run(fixture.manager)
      let begun = ContinuousClock.now
      #expect(try await eventually { try await fixture.store.counts()[.complete] == 10 })
      // Without the rule, they wait until 30 s of silence are a stall.
      #expect(ContinuousClock.now - begun < .seconds(25))
      run.runner.stop()
      _ = try await run.summary()
      withExtendedLifetime(hosts) {}
    }
  }
}
