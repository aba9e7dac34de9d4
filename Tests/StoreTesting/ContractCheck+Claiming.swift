// Promises of any job store to runners: the order of claims, and jobs on hold for longer than they may wait.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let claiming = [
    ContractCheck("of equal priority, jobs whose last tries failed come after the others") { stores in
      let (store, runner) = (stores.one, UUID())
      // More jobs at the head than a walk along the queue passes.
      let failed = try await store.add(
        (0..<300).map { try specification("http://dead/\($0)") }, marks: [], now: 1, seen: nil
      ).map(\.id)
      let urgent = try await store.add([try specification("http://dead/x", priority: 5)], marks: [], now: 1, seen: nil)[
        0
      ]
      .id
      let taken = try await store.claim(runner, limit: 400).map(\.id)
      #expect(taken == [urgent] + failed)
      for id in taken {
        _ = try await store.requeue(
          id, runner: runner, notBefore: nil, now: 2, retry: RetryRecord(used: 1, furthest: 0), failure: nil,
          attempt: nil, pending: .drop)
      }
      let late = try await store.add(
        [try specification("http://good/a"), try specification("http://dead/b"), try specification("http://good/c")],
        marks: [], now: 3, seen: nil
      ).map(\.id)
      let first = try await stores.other.claim(
        runner: runner, limit: 3, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 64), now: 3)
      #expect(first.map(\.id) == [urgent, late[0], late[1]])
      let second = try await stores.other.claim(
        runner: runner, limit: 3, scope: .all, jobsPerOrigin: JobsPerOrigin(limit: 64, counts: ["http://dead": 62]),
        now: 3)
      #expect(second.map(\.id) == [late[2], failed[0], failed[1]])
    },
    ContractCheck("a run on behalf of a client continues clients' jobs, and none that its user has stopped") { stores in
      let (one, other) = (stores.one, stores.other)
      var ids: [Bool: [JobID]] = [:]
      for isOfClient in [false, true] {
        var jobs = try ["queued", "failed", "abandoned", "interrupted", "paused"].map {
          try specification("http://h/\(isOfClient)/\($0)")
        }
        for index in jobs.indices where isOfClient { jobs[index].request.isOfClient = true }
        ids[isOfClient] = try await one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      }
      let (own, clients) = (try #require(ids[false]), try #require(ids[true]))
      let runner = UUID()
      let taken = ClaimScope.only(try await one.registerScope(Array(own.dropFirst()) + Array(clients.dropFirst())))
      _ = try await one.claim(runner, limit: 99, scope: taken)
      for jobs in [own, clients] {
        _ = try await one.endAttempt(jobs[1], runner, as: .failed)
        _ = try await one.endAttempt(jobs[3], runner, as: .interrupted)
        _ = try await one.endAttempt(jobs[4], runner, as: .paused)
      }
      _ = try await one.release(runner)
      var queued = try await other.requeueAbandoned(scope: .all, .ofClients)
      #expect(queued == [clients[2]])
      queued = try await other.requeueInterrupted(scope: .all, .ofClients, now: 4)
      #expect(queued == [clients[3]])
      let states = try await other.states(of: Set(own + clients))
      let (ownStates, clientStates) = (own.map { states[$0] }, clients.map { states[$0] })
      #expect(ownStates == [.queued, .failed, .interrupted, .interrupted, .paused])
      #expect(clientStates == [.queued, .failed, .queued, .queued, .paused])
      queued = try await other.requeueInterrupted(scope: .all, .all, now: 5)
      #expect(queued.sorted() == [own[2], own[3]])
    },
    ContractCheck("jobs that may not wait for a hold are interrupted, with its end") { stores in
      var patient = try specification("http://h/c")
      patient.options.maxRetryWait = 9000
      var later = try specification("http://h/d")
      later.startAt = 9000
      let ids = try await stores.one.add(
        [
          try specification("http://h/a"), try specification("http://o/b"), patient, later,
          try specification("http://h/e"),
        ],
        marks: [], now: 1, seen: nil
      ).map(\.id)
      var ended = try await stores.one.interruptHeld(scope: .all, now: 2)
      #expect(ended.isEmpty)
      let hold = OriginHold(try url("http://h/").origin, until: 7202, since: 2, job: 9, status: 429)
      try await stores.one.hold(hold)
      _ = try await stores.one.askAtOnce([ids[4]], now: 2)
      ended = try await stores.other.interruptHeld(scope: .all, now: 2)
      #expect(ended.map(\.id) == [ids[0]])
      let job = try await stores.one.job(ids[0])
      #expect((job?.state, job?.notBefore, job?.failure?.retryAfter) == (.interrupted, 7202, 7200))
      #expect(job?.failure?.reason == "\(hold.reason), and asked to wait 7200 s")
      #expect(ended.first?.failure == job?.failure)
      var queued = try await stores.one.requeueInterrupted(scope: .all, now: 3)
      #expect(queued.isEmpty)
      queued = try await stores.one.requeueInterrupted(scope: .all, now: 3602)
      #expect(queued == [ids[0]])
    },
  ]
}
