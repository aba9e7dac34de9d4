// What a dead runner leaves behind: its jobs are free, its publishes can be finished.

import DrayCore
import Foundation
import Testing

@testable import DrayStore

@Suite struct RecoveryTests {
  @Test func jobsOfADeadRunner() throws {
    let state = TemporaryState()
    let store = try state.open()
    let dead = UUID()
    let living = try RunnerLease.acquire(in: state.directory)
    let ids = try ["a", "b", "c", "d"].map { try store.makeJob($0, in: .active, runner: dead) }
    let other = try store.makeJob("e", in: .active, runner: living.runner)
    _ = try store.pause([ids[1]])
    _ = try store.remove([ids[2]])
    _ = try store.retry([ids[3]])

    let runners = try store.activeRunners()
    #expect(runners == [dead, living.runner])
    let gone = RunnerLease.dead(among: runners, in: state.directory)
    #expect(gone == [dead])
    // The part file of the one that is to be removed is there still: it waits.
    let recovered = try store.applyCommands(ofDeadRunners: gone)
    #expect(recovered.map(\.job.id) == [ids[0], ids[1], ids[3]])
    #expect(recovered.map(\.job.state) == [.interrupted, .paused, .queued])
    #expect(recovered.map(\.command) == [nil, .pause, .retry])
    #expect(recovered.allSatisfy { $0.job.runner == nil })
    #expect(try store.job(other)?.state == .active)
    #expect(try store.doomedJobs(ofDeadRunners: gone).map(\.id) == [ids[2]])
    #expect(try store.applyCommands(ofDeadRunners: gone).isEmpty)
    #expect(try store.applyCommands(ofDeadRunners: gone, removing: [ids[2]]).map(\.job.id) == [ids[2]])
    #expect(try store.job(ids[2]) == nil)
    #expect(try store.doomedJobs(ofDeadRunners: gone).isEmpty)
  }

  @Test func wishesOutliveTheRunnerThatEnds() throws {
    let store = try TemporaryState().open()
    let runner = UUID()
    let ids = try ["a", "b"].map { try store.makeJob($0, in: .active, runner: runner) }
    _ = try store.remove([ids[1]])
    #expect(try store.release(runner) == 1)
    #expect(try store.job(ids[0])?.state == .interrupted)
    #expect(try store.doomedJobs(ofDeadRunners: [runner]).map(\.id) == [ids[1]])
  }

  @Test func halfPublished() throws {
    let store = try TemporaryState().open()
    let dead = UUID()
    let identity = FileIdentity(device: 1, inode: 2, size: 3, modified: 4)
    let ids = try ["a", "b"].map { try store.makeJob($0, in: .active, runner: dead) }
    let intents = ids.map { PublishIntent(id: $0, identity: identity, fileName: "n\($0)") }
    #expect(try store.beginPublishing(intents, runner: dead, now: 3) == intents.map { .granted($0.fileName) })
    // While its holder lives nobody may touch it.
    #expect(try store.claimPublishing(runner: UUID(), scope: .all).isEmpty)
    _ = try store.pause([ids[0]])
    _ = try store.applyCommands(ofDeadRunners: [dead])
    let jobs = try ids.map { try store.job($0) }
    #expect(jobs.map { $0?.publishing } == [identity, identity])
    #expect(jobs.map { $0?.state } == [.interrupted, .interrupted])

    let scope = ClaimScope.only(try store.registerScope([ids[1]]))
    let runner = UUID()
    #expect(try store.claimPublishing(runner: runner, scope: scope).map(\.id) == [ids[1]])
    #expect(try store.claimPublishing(runner: UUID(), scope: scope).isEmpty)
    #expect(try store.finish([.sample(ids[1])], runner: runner, now: 5) == [ids[1]])
    #expect(try store.claimPublishing(runner: UUID(), scope: .all).map(\.id) == [ids[0]])
  }

  @Test func partFilesThatAreOwned() throws {
    let store = try TemporaryState().open()
    let added = try store.add(
      [try specification("http://h/a"), try specification("http://h/b", directory: "/e")], now: 1)
    let failed = try #require(try store.job(try store.makeJob("c", in: .failed)))
    #expect(try store.unfinished(among: Set(added.map(\.uuid) + [failed.uuid, UUID()])) == Set(added.map(\.uuid)))
    #expect(try store.unfinished(among: []).isEmpty)
  }

  @Test func summariesAreTheJobs() throws {
    let store = try TemporaryState().open()
    let ids = try JobState.allCases.map { try store.makeJob($0.rawValue, in: $0, output: "x-\($0)") }
    var seen: [JobID] = []
    try store.forEachSummary { row in
      // The store may be used meanwhile.
      let job = try #require(try store.job(row.id))
      seen.append(row.id)
      #expect(row == JobSummary(job, rank: Double(row.id), waitsFor: []))
      #expect(row.uuid == job.uuid)
      #expect(row.target == job.target)
      #expect(row.partFile == job.partFile)
      #expect(row.failure == job.failure)
      #expect(row.runner == job.runner)
    }
    #expect(seen == ids)
    var some: [JobState] = []
    try store.forEachSummary(states: [.failed, .paused]) { some.append($0.state) }
    #expect(Set(some) == [.failed, .paused])
  }
}
