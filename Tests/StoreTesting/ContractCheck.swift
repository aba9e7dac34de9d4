// The promises of any job store: one check for each promise of JobReading and JobOwning.

import DrayCore
import DrayStore
import Foundation
import Testing

/// A promise, and the check that a store keeps it.
package struct ContractCheck: Sendable, CustomTestStringConvertible {
  package let testDescription: String
  package let run: @Sendable (StorePair) async throws -> Void

  init(_ promise: String, _ run: @escaping @Sendable (StorePair) async throws -> Void) {
    (testDescription, self.run) = (promise, run)
  }

  package static let all =
    adding + arranging + entering + returning + looking + queue + claiming + control + holding + publishing + recovery
    + memory + liveness
    + queues + uploads
}

extension ContractCheck {
  static let adding = [
    ContractCheck("jobs are added all or none, together with their marks") { stores in
      let first = try await stores.one.add("a", output: "x")
      let clash = [try specification("http://h/b"), try specification("http://h/c", output: "x")]
      let mark = FeedMark(feed: "f", guid: "g")
      await #expect(throws: Failure.self) {
        try await stores.one.add(clash, marks: [mark], now: 1, seen: nil)
      }
      let ids = try await stores.other.ids(states: Set(JobState.allCases))
      #expect(ids == first)
      var known = try await stores.other.known(["g"], in: ["f"])
      #expect(known.isEmpty)
      _ = try await stores.one.add([try specification("http://h/b")], marks: [mark], now: 1, seen: nil)
      known = try await stores.other.known(["g", "h"], in: ["f"])
      #expect(known == ["g"])
    },
    ContractCheck("a job is read as it was added") { stores in
      var given = try specification("http://h/a?b=c", output: "x", priority: 3, policy: .rename)
      given.startAt = 50
      given.window = try TransferWindow.parse("Mon-Fri 22:00-06:00 Sat")
      let added = try await stores.one.add([given], marks: [], now: 1, seen: nil)[0]
      let job = try #require(try await stores.other.job(added.id))
      #expect((job.uuid, job.state, job.addedAt) == (added.uuid, .queued, 1))
      #expect(job.specification == given)
      let (byUUID, byURL) = (
        try await stores.other.job(uuid: added.uuid),
        try await stores.other.find(given.key)
      )
      #expect(byUUID?.id == added.id)
      #expect(byURL?.id == added.id)
    },
    ContractCheck("the URLs of existing jobs are known") { stores in
      _ = try await stores.one.add("a")
      let job = try specification("http://h/a?b=%22%5C'", output: "x")
      _ = try await stores.one.add([job], marks: [], now: 1, seen: nil)
      let others = try ["http://h/b", "http://h/", "http://h/A"].map { try specification($0, output: "x").request.url }
      let known = try await stores.other.known(others + [job.request.url])
      #expect(known == [job.request.url.string])
      let none = try await stores.other.known([])
      #expect(none.isEmpty)
    },
    ContractCheck("the same unfinished download is one job, and numbers are never reused") { stores in
      let id = try await stores.one.add("a")[0]
      let again = try await stores.other.add("a")
      #expect(again == [id])
      _ = try await stores.one.remove([id])
      let next = try await stores.other.add("a")[0]
      #expect(next > id)
      let newest = try await stores.one.newestID()
      #expect(newest == next)
    },
    ContractCheck("a group is created with its first job, and forgotten with its last") { stores in
      func job(_ path: String, _ directory: String = "/d") throws -> JobSpecification {
        var job = try specification("http://h/pub/\(path)")
        job.group = JobGroup(url: try url("http://h/pub/"), directory: directory)
        return job
      }
      let plain = try await stores.one.add("b")[0]
      let ids = try await stores.one.add([try job("a"), try job("c")], marks: [], now: 5, seen: nil).map(\.id)
      let more = try await stores.other.add(
        [try job("d"), try job("e", "/e")], marks: [], now: 6, seen: nil
      ).map(\.id)
      let groups = try await stores.other.groups()
      #expect(groups.map(\.label) == [GroupLabel(id: 1, name: "pub"), GroupLabel(id: 2, name: "pub")])
      #expect(groups.map(\.directory) == ["/d", "/e"] && groups.map(\.addedAt) == [5, 6])
      let first = try await stores.one.ids(inGroup: 1, states: [.queued])
      #expect(first == ids + [more[0]])
      let found = (try await stores.one.job(more[0])?.group, try await stores.one.job(plain)?.group)
      #expect(found == (GroupLabel(id: 1, name: "pub"), nil))
      let summaries = try await stores.one.summaries(ids: [more[1], plain]).map(\.group)
      #expect(summaries == [GroupLabel(id: 2, name: "pub"), nil])
      let claimed = try await stores.one.claim(UUID()).map(\.group?.id)
      #expect(claimed == [nil, 1, 1, 1, 2])
      _ = try await stores.one.add([try job("f", "/f")], marks: [], now: 7, seen: nil)
      let last = try await stores.one.ids(inGroup: 3, states: [.queued])
      _ = try await stores.other.remove(last)
      let left = try await stores.one.groups().map(\.label.id)
      #expect(left == [1, 2])
      _ = try await stores.one.add([try job("f", "/f")], marks: [], now: 8, seen: nil)
      let new = try await stores.one.groups().map(\.label.id)
      #expect(new == [1, 2, 4])
    },
  ]

  static let queue = [
    ContractCheck("jobs are claimed by priority, then rank, then number, each by one runner") { stores in
      let low = try await stores.one.add("a", "b", "c")
      let high = try await stores.one.add("d", priority: 5)
      try await stores.other.move([low[2]], to: .before(low[0]))
      let (mine, others) = (UUID(), UUID())
      let first = try await stores.one.claim(mine, limit: 2).map(\.id)
      #expect(first == [high[0], low[2]])
      let second = try await stores.other.claim(others).map(\.id)
      #expect(second == [low[0], low[1]])
      let none = try await stores.one.claim(mine)
      #expect(none.isEmpty)
      let job = try await stores.other.job(high[0])
      #expect((job?.state, job?.runner, job?.attempts) == (.active, mine, 1))
    },
    ContractCheck("concurrent claims never share a job") { stores in
      _ = try await stores.one.add((0..<60).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil)
      let taken = try await withThrowingTaskGroup(of: [JobID].self) { group in
        for number in 0..<6 {
          group.addTask {
            let store = number % 2 == 0 ? stores.one : stores.other
            var mine: [JobID] = []
            let runner = UUID()
            while true {
              let some = try await store.claim(runner, limit: 3)
              if some.isEmpty { return mine }
              mine += some.map(\.id)
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(taken.count == 60)
      #expect(Set(taken).count == 60)
    },
    ContractCheck("no job is claimed early, on hold, or beyond its origin's limit") { stores in
      var late = try specification("http://h/late")
      late.startAt = 100
      let ids = try await stores.one.add(
        [late] + (0..<3).map { try specification("http://o/\($0)") } + [try specification("http://held/x")], marks: [],
        now: 1, seen: nil
      ).map(\.id)
      try await stores.one.hold(OriginHold(try url("http://held/").origin, until: 60, since: 1))
      let (mine, others) = (UUID(), UUID())
      let limit = JobsPerOrigin(limit: 2)
      let first = try await stores.one.claim(runner: mine, limit: 9, scope: .all, jobsPerOrigin: limit, now: 2)
      #expect(first.map(\.id) == [ids[1], ids[2]])
      let second = try await stores.other.claim(runner: others, limit: 9, scope: .all, jobsPerOrigin: limit, now: 2)
      #expect(second.isEmpty)
      let due = try await stores.other.nextDue(scope: .all, jobsPerOrigin: limit, runner: others, now: 2)
      #expect(due == 60)
      let third = try await stores.other.claim(runner: others, limit: 9, scope: .all, jobsPerOrigin: limit, now: 200)
      #expect(Set(third.map(\.id)) == [ids[0], ids[4]])
    },
    ContractCheck("no job is claimed outside its window") { stores in
      // 1970-01-01 is a Thursday.
      let windows = ["01:00-02:00", nil, "Thu", "Sat 03:00-04:00"]
      let jobs = try windows.enumerated().map { index, window in
        var job = try specification("http://h/\(index)")
        job.window = try window.map { try TransferWindow.parse($0) }
        return job
      }
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      let runner = UUID()
      let free = try await stores.other.claim(runner, now: 60).map(\.id)
      #expect(free == [ids[1], ids[2]])
      var due = try await stores.other.nextDue(scope: .all, now: 60)
      #expect(due == 3600)
      let mayGoOn = try await stores.one.mayGoOn(scope: .all, now: 60)
      #expect(mayGoOn)
      let open = try await stores.one.claim(runner, now: 3600).map(\.id)
      #expect(open == [ids[0]])
      due = try await stores.other.nextDue(scope: .all, now: 4000)
      #expect(due == Double(2 * 24 + 3) * 3600)
      // Asked for again with another window.
      var again = jobs[3]
      again.window = try TransferWindow.parse("Mon-Sun")
      _ = try await stores.one.add([again], marks: [], now: 4000, seen: nil)
      let last = try await stores.other.claim(runner, now: 4000).map(\.id)
      #expect(last == [ids[3]])
    },
    ContractCheck("a job may ignore a hold once; a good answer ends the hold, a new refusal renews it") { stores in
      let ids = try await stores.one.add(
        [try specification("http://o/a"), try specification("http://o/b")], marks: [], now: 1, seen: nil
      ).map(\.id)
      let origin = try url("http://o/").origin
      let hold = OriginHold(origin, until: 60, since: 1, job: ids[0], askedBy: "http://o/a", status: 429)
      try await stores.one.hold(hold)
      let found = try await stores.other.holds(now: 2)
      #expect(found == [hold])
      let waiting = try await stores.other.heldJobs(scope: .all, now: 2)
      #expect(waiting == [HeldJobs(hold: hold, count: 2, first: ids[0])])
      let asked = try await stores.other.askAtOnce([ids[1]], now: 2)
      #expect(asked == [HeldJobs(hold: hold, count: 1, first: ids[1])])
      let runner = UUID()
      let taken = try await stores.one.claim(runner: runner, limit: 9, scope: .all, jobsPerOrigin: .unlimited, now: 2)
      #expect(taken.map(\.id) == [ids[1]])
      let again = OriginHold(origin, until: 30, since: 3, job: ids[1], status: 429)
      try await stores.one.hold(again)
      let renewed = try await stores.other.holds(now: 4)
      #expect(renewed == [again])
      try await stores.other.endHolds(of: [again.origin])
      let left = try await stores.one.holds(now: 4)
      #expect(left.isEmpty)
    },
    ContractCheck("a good answer ends a hold; a refused job keeps its own wait") { stores in
      let (store, runner) = (stores.one, UUID())
      let ids = try await store.add("a", "b", "c")
      _ = try await store.claim(runner, now: 100)
      let failure = Failure(.status, "http://h/", "429", httpStatus: 429, recovery: .retry, retryAfter: 400)
      _ = try await store.requeue(
        ids[0], runner: runner, notBefore: 500, now: 100, retry: RetryRecord(used: 1, furthest: 0), failure: failure,
        attempt: nil, pending: .drop)
      _ = try await store.giveBack([ids[1], ids[2]], runner: runner)
      try await store.hold(OriginHold(try url("http://h/").origin, until: 500, since: 110, job: ids[0], status: 429))
      _ = try await stores.other.resume([ids[2]])
      let asking = try await store.claim(runner, now: 200).map(\.id)
      #expect(asking == [ids[2]])
      let response = ResponseRecord(
        finalURL: try url("http://h/c"), redirects: [], head: ResponseHead(status: 206, fields: []), time: 201)
      _ = try await store.recordResponse(ids[2], runner: runner, response, size: nil)
      let due = try await stores.other.claim(runner, now: 202).map(\.id)
      #expect(due == [ids[1]])
    },
    ContractCheck("a scope limits claims and counts to its jobs") { stores in
      let ids = try await stores.one.add("a", "b", "c")
      let scope = ClaimScope.only(try await stores.one.registerScope([ids[1], ids[2], 77]))
      let runner = UUID()
      var pending = try await stores.one.pending(scope: scope, runner: runner)
      #expect(pending == PendingJobs(queued: 2, activeElsewhere: 0, mine: 0))
      _ = try await stores.other.claim(UUID(), limit: 2)
      pending = try await stores.one.pending(scope: scope, runner: runner)
      #expect(pending == PendingJobs(queued: 1, activeElsewhere: 1, mine: 0))
      let claimed = try await stores.one.claim(runner, scope: scope).map(\.id)
      #expect(claimed == [ids[2]])
      pending = try await stores.one.pending(scope: scope, runner: runner)
      #expect(pending == PendingJobs(queued: 0, activeElsewhere: 1, mine: 1))
    },
    ContractCheck("labels limit claims and counts to the jobs that have all of them") { stores in
      let (north, gpu, none) = (try label("site=north"), try label("gpu"), try label("none"))
      var jobs = try ["a", "b", "c"].map { try specification("http://h/\($0)") }
      jobs[0].options.labels = [north]
      jobs[1].options.labels = [gpu, north]
      let ids = try await stores.one.add(jobs, now: 1).map(\.id)
      let runner = UUID()
      var pending = try await stores.other.pending(scope: .labelled([north]), runner: runner)
      #expect(pending == PendingJobs(queued: 2, activeElsewhere: 0, mine: 0))
      pending = try await stores.other.pending(scope: .labelled([none]), runner: runner)
      #expect(pending.isEmpty)
      let both = try await stores.other.claim(runner, scope: .labelled([north, gpu])).map(\.id)
      #expect(both == [ids[1]])
      let rest = try await stores.other.claim(runner, scope: .labelled([north])).map(\.id)
      #expect(rest == [ids[0]])
      pending = try await stores.other.pending(scope: .labelled([north]), runner: runner)
      #expect(pending == PendingJobs(queued: 0, activeElsewhere: 0, mine: 2))
      let summary = try await stores.one.summaries(ids: [ids[1]])
      #expect(summary.map(\.labels) == [[gpu, north]])
    },
    ContractCheck("claims and counts of an extended scope include its new jobs") { stores in
      let ids = try await stores.one.add("a", "b", "c", "d")
      let runner = UUID()
      var scope = try await stores.one.registerScope([ids[0]])
      let first = try await stores.one.pending(scope: .only(scope), runner: runner)
      #expect(first == PendingJobs(queued: 1, activeElsewhere: 0, mine: 0))
      let claimed = try await stores.one.claim(runner, scope: .only(scope)).map(\.id)
      #expect(claimed == [ids[0]])
      scope = try await stores.one.extendScope(scope, with: [ids[0], ids[1], ids[3]])
      #expect(scope.count == 3)
      let more = try await stores.one.pending(scope: .only(scope), runner: runner)
      #expect(more == PendingJobs(queued: 2, activeElsewhere: 0, mine: 1))
      let rest = try await stores.one.claim(runner, scope: .only(scope)).map(\.id)
      #expect(rest == [ids[1], ids[3]])
      let last = try await stores.one.pending(scope: .only(scope), runner: runner)
      #expect(last == PendingJobs(queued: 0, activeElsewhere: 0, mine: 3))
    },
    ContractCheck("a job starts when its prerequisites are complete, and fails when one fails") { stores in
      let runner = UUID()
      let first = try await stores.one.add("a", "b")
      let met = try await stores.one.add("c", after: [first[0]])[0]
      let unmet = try await stores.one.add("d", after: [first[1]])[0]
      let claimed = try await stores.other.claim(runner).map(\.id)
      #expect(claimed == first)
      _ = try await stores.other.finish([.sample(first[0])], runner: runner, now: 3)
      let isStopped = try await stores.other.endAttempt(first[1], runner, as: .failed)
      #expect(isStopped)
      let states = try await stores.one.states(of: [met, unmet])
      #expect(states == [met: .queued, unmet: .failed])
      let failed = try await stores.one.failedDependents(of: first[1]).map(\.id)
      #expect(failed == [unmet])
      let next = try await stores.one.claim(runner).map(\.id)
      #expect(next == [met])
      let waits = try await stores.one.prerequisites(of: unmet)
      #expect(waits == [first[1]])
    },
    ContractCheck("a run may continue while a job of its scope will become due") { stores in
      let runner = UUID()
      let first = try await stores.one.held("a", by: runner)
      let waiting = try await stores.one.add("b", after: [first])[0]
      let paused = try await stores.one.add("c")[0]
      _ = try await stores.one.pause([paused])
      var late = try specification("http://h/late")
      late.startAt = 100
      let due = try await stores.one.add([late], marks: [], now: 1, seen: nil)[0].id
      func mayGoOn(_ id: JobID) async throws -> Bool {
        try await stores.other.mayGoOn(scope: .only(try await stores.other.registerScope([id])), now: 2)
      }
      var found = [
        try await mayGoOn(first), try await mayGoOn(waiting), try await mayGoOn(paused), try await mayGoOn(due),
      ]
      #expect(found == [false, true, false, true])
      _ = try await stores.one.endAttempt(first, runner, as: .interrupted)
      found = [try await mayGoOn(waiting), try await stores.other.mayGoOn(scope: .all, now: 2)]
      #expect(found == [false, true])
    },
    ContractCheck("a mark differs after each change by any process, and only then") { stores in
      let first = try await stores.one.changeMark()
      let same = try await stores.one.changeMark()
      #expect(same == first)
      _ = try await stores.other.add("a")
      let second = try await stores.one.changeMark()
      #expect(second != first)
      _ = try await stores.one.add("b")
      let third = try await stores.one.changeMark()
      #expect(third != second)
    },
    ContractCheck("jobs are listed by label, queue and group, and claimed by a label that they got later") { stores in
      let (north, gpu) = (try JobLabel.parse("site=north"), try JobLabel.parse("gpu"))
      func job(_ path: String, _ labels: [JobLabel]?, _ queue: String? = nil) throws -> JobSpecification {
        var job = try specification("http://h/pub/\(path)")
        (job.options.labels, job.queue) = (labels, queue)
        if path == "d" { job.group = JobGroup(url: try url("http://h/pub/"), directory: "/d") }
        return job
      }
      let jobs = [
        try job("a", [north]), try job("b", nil, "q"), try job("c", [gpu, north], "q"), try job("d", nil),
      ]
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      func listed(_ choice: JobChoice, after: JobID = 0) async throws -> [JobID] {
        try await stores.other.summaries(after: after, of: choice, limit: 9).map(\.id)
      }
      let group = try await stores.one.groups().first?.label.id
      let found = [
        try await listed(JobChoice(labels: [north])), try await listed(JobChoice(labels: [north, gpu])),
        try await listed(JobChoice(labels: [north]), after: ids[0]), try await listed(JobChoice(queue: "q")),
        try await listed(JobChoice(states: [.queued], labels: [gpu], queue: "q")),
        try await listed(JobChoice(states: [.paused], labels: [gpu])), try await listed(JobChoice(group: group)),
      ]
      #expect(found == [[ids[0], ids[2]], [ids[2]], [ids[2]], [ids[1], ids[2]], [ids[2]], [], [ids[3]]])
      let revisions = try await stores.one.jobs(ids: [ids[0], ids[3]]).map { job in
        var wanted = job.specification
        wanted.options.labels = job.id == ids[0] ? nil : [north]
        return JobRevision(job, wanted)
      }
      try await stores.other.change(revisions, runner: nil, now: 3)
      let now = try await listed(JobChoice(labels: [north]))
      #expect(now == [ids[2], ids[3]])
      let claimed = try await stores.one.claim(UUID(), scope: .labelled([north])).map(\.id)
      #expect(claimed == [ids[2], ids[3]])
    },
    ContractCheck("summaries come in pages, and agree with the jobs") { stores in
      let ids = try await stores.one.add("a", "b", "c")
      _ = try await stores.one.pause([ids[1]])
      let page = try await stores.other.summaries(after: ids[0], states: nil, limit: 1).map(\.id)
      #expect(page == [ids[1]])
      let queued = try await stores.other.summaries(after: 0, states: [.queued], limit: 9)
      #expect(queued.map(\.id) == [ids[0], ids[2]])
      #expect(queued[0].url == "http://h/a")
      let chosen = try await stores.other.summaries(ids: [ids[2], 99, ids[1]])
      #expect(chosen.map(\.state) == [.queued, .paused])
      let (all, some) = (try await stores.other.counts(ids: nil), try await stores.other.counts(ids: [ids[1]]))
      #expect(all == [.queued: 2, .paused: 1])
      #expect(some == [.paused: 1])
      let present = try await stores.other.present(among: [.queued, .complete, .failed])
      #expect(present == [.queued])
      let unfinished = try await stores.other.unfinishedCount()
      #expect(unfinished == 3)
    },
  ]
}
