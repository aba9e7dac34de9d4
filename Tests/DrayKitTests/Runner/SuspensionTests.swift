// A run whose store goes away and comes back: its transfers stop in time, and continue with the kept bytes (P20).

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Synchronization
import Testing
import Threads

@testable import DrayEngine
@testable import DrayKit

/// A lease that a test lets end.
private final class TestLease: RunnerLease {
  private struct State {
    var remaining = 30.0
    var isAway = false
    var renewal = LeaseRenewal.kept
    var renewals = 0
    var term = 0
  }

  private let base: any RunnerLease
  private let state = Mutex(State())

  init(_ base: any RunnerLease) { self.base = base }

  var runner: UUID { base.runner }
  var remaining: Double? { state.withLock { $0.remaining } }
  var term: Int { state.withLock(\.term) }
  var renewals: Int { state.withLock(\.renewals) }

  /// Lets the store go away, with a lease that is about to end.
  func goAway() { state.withLock { ($0.isAway, $0.remaining) = (true, 1) } }

  /// Lets the store come back.
  func comeBack(_ renewal: LeaseRenewal) { state.withLock { ($0.isAway, $0.renewal) = (false, renewal) } }

  func renew() async throws(Failure) -> LeaseRenewal {
    let result = state.withLock { state -> Result<LeaseRenewal, Failure> in
      guard !state.isAway else { return .failure(Failure(.store, "test", "it is away", recovery: .wait)) }
      state.remaining = 30
      if state.renewal == .begun { state.term += 1 }
      state.renewals += 1
      return .success(state.renewal)
    }
    return try result.get()
  }

  func show(_ board: RunnerBoard) async throws(Failure) { try await base.show(board) }
  func release() async { await base.release() }
}

@Suite struct SuspensionTests {
  /// Makes a runner of a fixture with a lease that can end.
  private func runner(_ fixture: KitFixture) async throws -> (Runner, TestLease) {
    let manager = fixture.manager
    let fence = WriteFence()
    let lease = TestLease(try await manager.store.acquireLease())
    let runner = try await Runner(
      try await manager.engine(), manager.store, manager.worker, manager.home,
      LocalDestinations(store: manager.store.label, fence: fence), lease, .all, RunOptions(), fence: fence)
    return (runner, lease)
  }

  @Test(
    "transfers stop before the lease ends, and go on when the store is back", arguments: [LeaseRenewal.kept, .begun])
  func comesBack(_ renewal: LeaseRenewal) async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000), .normal, .normal])
      let (runner, lease) = try await runner(fixture)
      let names = Mutex<[String]>([])
      let listening = Task { for await event in runner.events { names.withLock { $0.append(event.kind.name) } } }
      let running = Task { try await runner.run() }
      try #require(await gate.waitForArrivals())
      lease.goAway()
      try #require(await eventually { names.withLock { $0.contains("interrupted") } })
      // The suspension is counted once all attempts have left, which is after their events.
      #expect(await eventually { runner.metrics().isSuspended && runner.metrics().suspensions == 1 })
      gate.open()
      let still = try await fixture.job(id)
      #expect(still.state == .active, "nothing is recorded while the store is away")
      lease.comeBack(renewal)
      let summary = try await running.value
      await listening.value
      #expect(summary.complete == 1 && summary.interrupted == 0 && summary.exitStatus == .success)
      #expect(names.withLock { $0.filter { $0 == "interrupted" }.count } == 1, "it is said once")
      #expect(try await fixture.job(id).state == .complete)
    }
  }

  @Test("a retry that is stopped by a store that goes away goes on in the same run")
  func retryComesBack() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.cut(after: 100_000), .held(by: gate, after: 100_000), .normal])
      let (runner, lease) = try await runner(fixture)
      let running = Task { try await runner.run() }
      try #require(await gate.waitForArrivals())
      #expect(try await fixture.job(id).failure != nil, "the failure of the first attempt is recorded")
      lease.goAway()
      try #require(await eventually { runner.metrics().isSuspended })
      gate.open()
      lease.comeBack(.kept)
      let summary = try await running.value
      #expect(summary.complete == 1 && summary.exitStatus == .success)
      #expect(try await fixture.job(id).state == .complete)
    }
  }

  @Test("suspensions that follow each other at once come less and less often")
  func refusedWrites() async throws {
    try await KitFixture.use { fixture in
      try await fixture.add("/f", .sample)
      let (runner, _) = try await runner(fixture)
      // Its lease is renewed, and everything else fails.
      let away = Failure(.store, "test", "its disk is full", recovery: .wait)
      let spoiling = Task {
        while !Task.isCancelled {
          await runner.signal.suspend(away)
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      let running = Task { try await runner.run() }
      try #require(await eventually { runner.metrics().suspensions >= 3 })
      let begun = SteadyClock.now()
      let before = runner.metrics().suspensions
      try #require(await eventually { runner.metrics().suspensions >= before + 2 })
      #expect(SteadyClock.now() - begun > LeaseRule.pause(afterFailures: 2))
      spoiling.cancel()
      _ = await spoiling.result
      let summary = try await running.value
      #expect(summary.complete == 1)
    }
  }

  @Test("a run that stops its transfers says why its lease was not renewed")
  func reasons() {
    let full = Failure(.store, "db", "the disk is full\nhint", advice: "make room", recovery: .wait)
    let stop = Failure.transfersStop("db", after: full)
    #expect(stop.reason == "the disk is full; transfers stop now, and go on by themselves once that is over")
    #expect(stop.isStoreAway && stop.advice == full.advice)
    #expect(Failure.transfersStop("db", after: nil).reason.hasPrefix("it does not answer; "))
  }

  @Test("a run that is stopped while its store is away ends, with the status of the store")
  func stopped() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      defer { gate.open() }
      try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)])
      let (runner, lease) = try await runner(fixture)
      let running = Task { try await runner.run() }
      try #require(await gate.waitForArrivals())
      lease.goAway()
      try #require(await eventually { runner.metrics().isSuspended })
      runner.stop()
      let summary = try await running.value
      #expect(summary.exitStatus == .store && summary.complete == 0)
    }
  }

  @Test("a lease is renewed before it ends, and the run notices nothing")
  func renewed() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample)
      let (runner, lease) = try await runner(fixture)
      let summary = try await runner.run()
      #expect(summary.complete == 1 && lease.renewals == 0)
      #expect(try await fixture.job(id).state == .complete)
    }
  }

  @Test("no byte is written behind a closed fence")
  func fence() throws {
    let fence = WriteFence()
    let open = Atomic<Bool>(true)
    fence.guarded { open.load(ordering: .relaxed) }
    #expect(throws: Never.self) { try fence.check("/f") }
    open.store(false, ordering: .relaxed)
    let failure = #expect(throws: Failure.self) { try fence.check("/f") }
    #expect(failure?.isStoreAway == true)
    fence.guarded(by: nil)
    #expect(throws: Never.self) { try fence.check("/f") }
  }

  @Test("work of an earlier lease stays behind the fence")
  func earlierLease() throws {
    let fence = WriteFence()
    let free = fence.pass
    fence.guarded { true }
    let first = fence.pass
    #expect(throws: Never.self) { try fence.check("/f", first) }
    #expect(throws: Never.self) { try fence.check("/f", free) }
    fence.guarded { true }
    #expect(throws: Failure.self) { try fence.check("/f", first) }
    #expect(throws: Never.self) { try fence.check("/f", fence.pass) }
    fence.guarded(by: nil)
    #expect(throws: Failure.self) { try fence.check("/f", first) }
    #expect(throws: Never.self) { try fence.check("/f", fence.pass) }
  }
}
