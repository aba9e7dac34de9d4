// Promises of any job store about jobs that a runner gives up, or leaves behind when it dies.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let recovery = [
    ContractCheck("a dead runner's jobs are free, and its commands are carried out") { stores in
      let dead = UUID()
      let plain = try await stores.one.held("a", by: dead)
      let paused = try await stores.one.held("b", by: dead)
      let doomed = try await stores.one.held("c", by: dead)
      _ = try await stores.one.pause([paused])
      _ = try await stores.one.remove([doomed])
      let runners = try await stores.other.activeRunners()
      #expect(runners == [dead])
      let toRemove = try await stores.other.doomedJobs(ofDeadRunners: [dead]).map(\.id)
      #expect(toRemove == [doomed])
      _ = try await stores.other.applyCommands(ofDeadRunners: [dead], removing: [])
      var states = try await stores.one.states(of: [plain, paused, doomed])
      #expect(states == [plain: .interrupted, paused: .paused, doomed: .active])
      let recovered = try await stores.other.applyCommands(ofDeadRunners: [dead], removing: [doomed])
      #expect(recovered.map(\.job.id) == [doomed])
      states = try await stores.one.states(of: [plain, paused, doomed])
      #expect(states == [plain: .interrupted, paused: .paused])
      let queued = try await stores.one.requeueAbandoned(scope: .all)
      #expect(queued == [plain])
    },
    ContractCheck("a runner that ends frees its jobs, except those with a command") { stores in
      let runner = UUID()
      let free = try await stores.one.held("a", by: runner)
      let asked = try await stores.one.held("b", by: runner)
      _ = try await stores.other.remove([asked])
      let count = try await stores.one.release(runner)
      #expect(count == 1)
      let states = try await stores.other.states(of: [free, asked])
      #expect(states == [free: .interrupted, asked: .active])
    },
    ContractCheck("a job that a runner gives up during a retry goes on elsewhere") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      _ = try await stores.one.requeue(
        id, runner: runner, notBefore: nil, now: 3, retry: RetryRecord(used: 1),
        failure: Failure(.network, "http://h/a", "the connection was closed"), attempt: nil, pending: .drop)
      #expect(try await stores.one.claim(runner).count == 1)
      _ = try await stores.one.release(runner)
      #expect(try await stores.other.requeueAbandoned(scope: .all) == [id])
    },
    ContractCheck("a job claimed ahead is given back unchanged, unless it has a command") { stores in
      let runner = UUID()
      let ids = try await stores.one.add("a", "b")
      _ = try await stores.one.claim(runner)
      _ = try await stores.other.pause([ids[1]])
      let kept = try await stores.one.giveBack(ids, runner: runner)
      #expect(kept == [ids[1]])
      let jobs = try await stores.other.jobs(ids: ids)
      #expect(jobs.map(\.state) == [.queued, .active])
      #expect(jobs.map(\.attempts) == [0, 1])
    },
    ContractCheck("P5 unfinished jobs have part files, finished ones do not") { stores in
      let runner = UUID()
      let done = try await stores.one.held("a", by: runner)
      _ = try await stores.one.finish([.sample(done)], runner: runner, now: 3)
      let ids = [done] + (try await stores.one.add("b"))
      let uuids = try await stores.one.jobs(ids: ids).map(\.uuid)
      let unfinished = try await stores.other.unfinished(among: Set(uuids + [UUID()]))
      #expect(unfinished == [uuids[1]])
    },
  ]
}
