// Promises of any job store about publishing and repairing.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let publishing = [
    ContractCheck("only one runner finishes an interrupted publish") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let finished = Finished.sample(id)
      let naming = TargetNaming(directory: "/d", policy: .fail, taken: [])
      let intent = PublishIntent(id: id, identity: finished.published, fileName: "n", naming: naming)
      let permits = try await stores.one.beginPublishing(
        [intent], after: [], runner: runner, now: 3, isDurable: true
      ).permits
      #expect(permits == [.granted("n")])
      _ = try await stores.one.release(runner)
      let (one, other) = (UUID(), UUID())
      let claimed = try await stores.other.claimPublishing(runner: one, scope: .all)
      #expect(claimed.map(\.publishing) == [finished.published])
      let none = try await stores.one.claimPublishing(runner: other, scope: .all)
      #expect(none.isEmpty)
      let held = try await stores.other.finish([finished], runner: one, now: 4)
      #expect(held == [id])
      let job = try await stores.one.job(id)
      #expect((job?.state, job?.fileName, job?.finishedAt) == (.complete, "n", 4))
      #expect((job?.publishing, job?.published) == (nil, finished.published))
      let found = try await stores.one.completeJob(named: "n", in: "/d", at: nil)
      #expect(found?.id == id)
    },
    ContractCheck("a permit avoids the taken names, and the targets of other jobs") { stores in
      let runner = UUID()
      let ids = [
        try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner),
        try await stores.one.held("c", by: runner),
      ]
      let naming = TargetNaming(directory: "/d", policy: .rename, taken: ["n", "n.2"])
      let intents = ids.map {
        PublishIntent(id: $0, identity: Finished.sample($0).published, fileName: "n", naming: naming)
      }
      let permits = try await stores.one.beginPublishing(intents, runner: runner, now: 3)
      #expect(permits == [.granted("n.1"), .granted("n.3"), .granted("n.4")])
    },
    ContractCheck("earlier publishes become complete with the next intents") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      let intent = PublishIntent(id: ids[1], identity: Finished.sample(ids[1]).published, fileName: "b")
      let start = try await stores.one.beginPublishing(
        [intent], after: [.sample(ids[0])], runner: runner, now: 3, isDurable: false)
      #expect(start == PublishStart(permits: [.granted("b")], ended: [ids[0]]))
      let states = try await stores.other.states(of: Set(ids))
      #expect(states == [ids[0]: .complete, ids[1]: .active])
    },
    ContractCheck("a publish that cannot be finished is left to recovery, and keeps its command") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      let intents = ids.map { PublishIntent(id: $0, identity: Finished.sample($0).published, fileName: "f\($0)") }
      _ = try await stores.one.beginPublishing(intents, after: [], runner: runner, now: 3, isDurable: true)
      _ = try await stores.other.remove([ids[1]])
      let failure = Failure(.file, "/d", "the disk is out of order")
      var isDone: [Bool] = []
      for id in ids {
        isDone.append(
          try await stores.one.interruptPublishing(
            id, runner: runner, failure: failure,
            attempt: AttemptRecord(startedAt: 2, endedAt: 3, outcome: "interrupted")))
      }
      #expect(isDone == [true, false])
      let jobs = try await stores.other.jobs(ids: ids)
      #expect(jobs.map(\.state) == [.interrupted, .active])
      #expect(jobs.map(\.failure) == [failure, nil])
      #expect(jobs.map(\.publishing) == intents.map(\.identity))
      let attempts = try await stores.other.attempts(of: ids[0]).map(\.outcome)
      #expect(attempts == ["interrupted"])
      let claimed = try await stores.other.claimPublishing(runner: UUID(), scope: .all).map(\.id)
      #expect(claimed == [ids[0]])
    },
    ContractCheck("a repair continues with the valid bytes, unless its job is to be removed") { stores in
      let runner = UUID()
      var ids: [JobID] = []
      for path in ["a", "b", "c"] { ids.append(try await stores.one.held(path, by: runner)) }
      _ = try await stores.one.finish(ids.map { .sample($0) }, runner: runner, now: 3)
      let before = try await stores.one.jobs(ids: ids)
      for job in before {
        _ = try await stores.one.beginRepair(job.id, job.specification, sums: BlockSums(), runner: runner)
      }
      _ = try await stores.other.pause([ids[1]])
      _ = try await stores.other.remove([ids[2]])
      var isQueued: [Bool] = []
      for job in before {
        isQueued.append(
          try await stores.one.queueRepair(
            job.id, job.specification, Checkpoint(segments: SegmentSet(0..<2), size: 3), runner: runner))
      }
      #expect(isQueued == [true, true, false])
      let after = try await stores.other.jobs(ids: ids)
      #expect(after.map(\.state) == [.queued, .paused, .active])
      #expect(after.map(\.checkpoint.segments) == [SegmentSet(0..<2), SegmentSet(0..<2), SegmentSet()])
      #expect(after.map(\.published) == before.map(\.published))
      let expected = try await stores.other.expected(of: ids[0])
      #expect(expected?.repaired == before[0].checkpoint.validators)
    },
    ContractCheck("an unsuccessful repair leaves the job complete as before") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      _ = try await stores.one.finish([.sample(id)], runner: runner, now: 3)
      let before = try #require(try await stores.one.job(id))
      let hasBegun = try await stores.one.beginRepair(id, before.specification, sums: BlockSums(), runner: runner)
      #expect(hasBegun)
      let state = try await stores.other.state(of: id)
      #expect(state == .active)
      try await stores.one.abandonRepair(before, runner: runner)
      let after = try #require(try await stores.other.job(id))
      #expect((after.state, after.published) == (.complete, before.published))
    },
  ]
}
