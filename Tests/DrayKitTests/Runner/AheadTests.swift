// Jobs claimed ahead of their turn, because small files end quickly: the effect must be invisible (P9).

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct AheadTests {
  /// Files that end at once, so that many are claimed ahead.
  private static let quick = 60
  /// Endless files.
  private static let held = 40

  /// Queues both kinds, and runs until two of the second hold the slots.
  private func use(_ body: (KitFixture, Run, FaultServer.Gate, [JobID]) async throws -> Void) async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      for n in 0..<AheadTests.quick { try await fixture.add("/q\(n)", .named("v\(n)", size: 100)) }
      let ids = try await (0..<AheadTests.held).asyncMap {
        try await fixture.add("/h\($0)", .sample, [.held(by: gate, after: 1000)])
      }
      let run = try await Run(fixture.manager) { $0.maxConcurrent = 2 }
      try #require(await gate.waitForArrivals(2, seconds: 60))
      try await body(fixture, run, gate, ids)
    }
  }

  @Test func whatHasNotBegunIsQueuedAsItWas() async throws {
    try await use { fixture, run, _, ids in
      run.runner.stop()
      let summary = try await run.summary()
      #expect((summary.complete, summary.interrupted) == (AheadTests.quick, 2))
      let jobs = try await fixture.store.jobs(ids: ids)
      #expect(jobs.prefix(2).allSatisfy { $0.state == .interrupted })
      #expect(jobs.dropFirst(2).allSatisfy { $0.state == .queued })
      #expect(jobs.dropFirst(2).allSatisfy { $0.attempts == 0 && $0.runner == nil })
      #expect(Set(run.starts()).count == AheadTests.quick + 2)
    }
  }

  @Test func whatDoesNotBeginSoonIsGivenBack() async throws {
    try await use { fixture, run, gate, _ in
      let states = { try await fixture.store.counts() }
      try #require(try await eventually { try await states()[.active] == 2 })
      #expect(try await states()[.queued] == AheadTests.held - 2)
      // They are counted about once a second.
      #expect(await eventually { await run.runner.snapshot().queued == AheadTests.held - 2 })
      gate.open()
      #expect(try await run.summary().complete == AheadTests.quick + AheadTests.held)
    }
  }

  @Test func whatIsWantedOfThemIsDone() async throws {
    try await use { fixture, run, gate, ids in
      _ = try await fixture.store.pause(Array(ids.dropFirst(2)))
      try #require(
        try await eventually {
          try await fixture.store.counts()[.paused] == AheadTests.held - 2
        })
      gate.open()
      let summary = try await run.summary()
      #expect(summary.complete == AheadTests.quick + 2)
      // The server got a request for none of them.
      #expect((2..<AheadTests.held).allSatisfy { fixture.server.requests("/h\($0)").isEmpty })
    }
  }
}
