// After a runner's death its jobs are free, and its publishes can be finished.

import DrayCore
import Foundation
import StoreTesting
import Testing

@testable import DrayStore

@Suite struct RecoveryTests {
  @Test func jobsOfADeadRunner() async throws {
    let state = TemporaryState()
    let store = try state.open()
    let dead = UUID()
    let living = try await store.acquireLease()
    let ids = try await ["a", "b", "c", "d"].asyncMap { try await store.makeJob($0, in: .active, runner: dead) }
    let other = try await store.makeJob("e", in: .active, runner: living.runner)
    _ = try await store.pause([ids[1]])
    _ = try await store.remove([ids[2]])
    _ = try await store.retry([ids[3]])

    let runners = try await store.activeRunners()
    #expect(runners == [dead, living.runner])
    let gone = try await store.deadRunners(among: runners)
    #expect(gone == [dead])
    // The part file of the job to be removed still exists: the job waits.
    let recovered = try await store.applyCommands(ofDeadRunners: gone)
    #expect(recovered.map(\.job.id) == [ids[0], ids[1], ids[3]])
    #expect(recovered.map(\.job.state) == [.interrupted, .paused, .queued])
    #expect(recovered.map(\.command) == [nil, .pause, .retry])
    #expect(recovered.allSatisfy { $0.job.runner == nil })
    #expect(try await store.job(other)?.state == .active)
    #expect(try await store.doomedJobs(ofDeadRunners: gone).map(\.id) == [ids[2]])
    #expect(try await store.applyCommands(ofDeadRunners: gone).isEmpty)
    #expect(try await store.applyCommands(ofDeadRunners: gone, removing: [ids[2]]).map(\.job.id) == [ids[2]])
    #expect(try await store.job(ids[2]) == nil)
    #expect(try await store.doomedJobs(ofDeadRunners: gone).isEmpty)
  }

  @Test func wishesOutliveTheRunnerThatEnds() async throws {
    let store = try TemporaryState().open()
    let runner = UUID()
    let ids = try await ["a", "b"].asyncMap { try await store.makeJob($0, in: .active, runner: runner) }
    _ = try await store.remove([ids[1]])
    #expect(try await store.release(runner) == 1)
    #expect(try await store.job(ids[0])?.state == .interrupted)
    #expect(try await store.doomedJobs(ofDeadRunners: [runner]).map(\.id) == [ids[1]])
  }

  @Test func halfPublished() async throws {
    let store = try TemporaryState().open()
    let dead = UUID()
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)
    let ids = try await ["a", "b"].asyncMap { try await store.makeJob($0, in: .active, runner: dead) }
    let intents = ids.map { PublishIntent(id: $0, identity: identity, fileName: "n\($0)") }
    #expect(try await store.beginPublishing(intents, runner: dead, now: 3) == intents.map { .granted($0.fileName) })
    // While its holder lives no other process may touch it.
    #expect(try await store.claimPublishing(runner: UUID(), scope: .all).isEmpty)
    _ = try await store.pause([ids[0]])
    _ = try await store.applyCommands(ofDeadRunners: [dead])
    let left = try await store.jobs(ids: ids)
    #expect(left.map(\.publishing) == [identity, identity] && left.map(\.state) == [.interrupted, .interrupted])

    let scope = ClaimScope.only(try await store.registerScope([ids[1]]))
    let runner = UUID()
    #expect(try await store.claimPublishing(runner: runner, scope: scope).map(\.id) == [ids[1]])
    #expect(try await store.claimPublishing(runner: UUID(), scope: scope).isEmpty)
    #expect(try await store.finish([.sample(ids[1])], runner: runner, now: 5) == [ids[1]])
    #expect(try await store.claimPublishing(runner: UUID(), scope: .all).map(\.id) == [ids[0]])
  }

  @Test func partFilesThatAreOwned() async throws {
    let store = try TemporaryState().open()
    let added = try await store.add(
      [try specification("http://h/a"), try specification("http://h/b", directory: "/e")], now: 1)
    let failed = try #require(try await store.job(try await store.makeJob("c", in: .failed)))
    #expect(
      try await store.unfinished(among: Set(added.map(\.uuid) + [failed.uuid, UUID()])) == Set(added.map(\.uuid)))
    #expect(try await store.unfinished(among: []).isEmpty)
  }

  @Test func summariesAreTheJobs() async throws {
    let store = try TemporaryState().open()
    let ids = try await JobState.allCases.asyncMap { try await store.makeJob($0.rawValue, in: $0, output: "x-\($0)") }
    var rows: [JobSummary] = []
    try await store.forEachSummary { rows.append($0) }
    for row in rows {
      let job = try #require(try await store.job(row.id))
      #expect(row == JobSummary(job, rank: Double(row.id), waitsFor: []))
      #expect(row.uuid == job.uuid)
      #expect(row.target == job.target)
      #expect(row.partFile == job.partFile)
      #expect(row.failure == job.failure)
      #expect(row.runner == job.runner)
    }
    #expect(rows.map(\.id) == ids)
    var some: [JobState] = []
    try await store.forEachSummary(states: [.failed, .paused]) { some.append($0.state) }
    #expect(Set(some) == [.failed, .paused])
  }
}
