// Promises of any job store to runners: held, published and abandoned jobs.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let holding = [
    ContractCheck("P9 a runner that does not hold a job cannot change it") { stores in
      let (holder, stranger) = (UUID(), UUID())
      let store = stores.other
      let id = try await stores.one.held("a", by: holder)
      let before = try await stores.one.job(id)
      let checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20)
      let response = ResponseRecord(
        finalURL: try url("http://h/a"), redirects: [], head: ResponseHead(status: 200, fields: []), time: 5)
      var held: [Bool] = []
      held.append(try await store.recordResponse(id, runner: stranger, response, size: 1))
      held.append(
        try await !store.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: stranger).isEmpty)
      held.append(try await store.forgetCheckpoint(id, runner: stranger, note: "x"))
      held.append(try await store.recordDigestRetry(id, .whole, runner: stranger))
      held.append(
        try await store.recordTaken(id, runner: stranger, checkpoint) { options in
          options.adopts?.outcome = Adoption.Outcome(taken: 10)
        })
      held.append(
        try await store.fixName(
          id, runner: stranger, directory: "/d", name: "n", policy: .fail, taken: []) != nil)
      held.append(try await store.applyRules(id, runner: stranger) { $0.queue = "films" } != nil)
      held.append(try await store.beginSubmission(id, runner: stranger, now: 3))
      held.append(try await store.endAttempt(id, stranger, as: .failed))
      held.append(
        try await store.requeue(
          id, runner: stranger, notBefore: nil, now: 3, retry: RetryRecord(), failure: nil, attempt: nil,
          pending: .drop))
      held.append(try await store.retryOwned(id, runner: stranger))
      held.append(try await store.removeOwned(id, runner: stranger, isMet: false))
      held.append(
        try await store.finishWithoutFile(id, runner: stranger, response: nil, note: "x", now: 3, attempt: nil))
      held.append(try await !store.finish([.sample(id)], runner: stranger, now: 3).isEmpty)
      let intent = PublishIntent(id: id, identity: Finished.sample(id).published, fileName: "n")
      let start = try await store.beginPublishing(
        [intent], after: [.sample(id)], runner: stranger, now: 3, isDurable: true)
      held.append(start != PublishStart(permits: [.lost]))
      held.append(
        try await store.interruptPublishing(
          id, runner: stranger, failure: nil, attempt: AttemptRecord(startedAt: 2, endedAt: 3, outcome: "interrupted")))
      held.append(try await store.queueRepair(id, try specification("http://h/a"), checkpoint, runner: stranger))
      held.append(try await store.applyCommand(id, runner: stranger))
      held.append(try await store.release(stranger) > 0)
      #expect(held == Array(repeating: false, count: held.count))
      let after = try await stores.one.job(id)
      #expect(after == before)
    },
    ContractCheck("a checkpoint extends the previous one, until it is forgotten") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      var sums = BlockSums()
      sums.insert(0..<100, CRC32C(7))
      let checkpoint = Checkpoint(
        segments: SegmentSet(0..<100), size: 1000, validators: Validators(etag: "\"1\"", lastModified: "x", date: "y"))
      var recorded = checkpoint
      recorded.sums = sums
      let held = try await stores.one.checkpoint([(id, recorded)], since: [:], expecting: [], runner: runner)
      #expect(held == [id])
      var job = try await stores.other.job(id)
      #expect(job?.checkpoint == checkpoint)
      var known = try await stores.other.sums(of: id)
      #expect(known == sums)
      let isForgotten = try await stores.one.forgetCheckpoint(id, runner: runner, note: "why")
      #expect(isForgotten)
      job = try await stores.other.job(id)
      #expect((job?.checkpoint, job?.note) == (Checkpoint(), "why"))
      known = try await stores.other.sums(of: id)
      #expect(known.isEmpty)
    },
    ContractCheck("P2 the old sums of bad bytes are expected again, until their version is given up") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      var sums = BlockSums()
      for part in [0..<100, 200..<300] as [Segment] { sums.insert(part, CRC32C(7)) }
      var checkpoint = Checkpoint(segments: sums.covered, size: 1000, validators: Validators(etag: "\"1\""))
      checkpoint.sums = sums
      _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner)
      var expected = try await stores.other.expected(of: id)
      #expect(expected == nil)
      checkpoint.segments = SegmentSet(0..<100)
      _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [sums.extents[1]], runner: runner)
      expected = try await stores.other.expected(of: id)
      #expect(expected?.sums.covered == SegmentSet(200..<300) && expected?.sums.extents.map(\.sum) == [CRC32C(7)])
      #expect(expected?.repaired == nil)
      _ = try await stores.one.forgetCheckpoint(id, runner: runner, note: nil)
      expected = try await stores.other.expected(of: id)
      #expect(expected == nil)
    },
    ContractCheck("an adopted file is recorded together with its bytes, and survives a repeated request") { stores in
      let runner = UUID()
      var given = try specification("http://h/a")
      let file = Adoption(path: "/d/a.part", identity: FileIdentity(device: 1, inode: 2, size: 3, modified: 4))
      given.options.adopts = file
      let id = try await stores.one.add([given], marks: [], now: 1, seen: nil)[0].id
      _ = try await stores.one.claim(runner, scope: .only(try await stores.one.registerScope([id])))
      var sums = BlockSums()
      sums.insert(0..<100, CRC32C(7))
      var checkpoint = Checkpoint(segments: SegmentSet(0..<100), size: 1000, validators: Validators(etag: "\"1\""))
      checkpoint.sums = sums
      let outcome = Adoption.Outcome(taken: 100, compared: 50)
      let isHeld = try await stores.one.recordTaken(id, runner: runner, checkpoint) { $0.adopts?.outcome = outcome }
      #expect(isHeld)
      var job = try await stores.other.job(id)
      checkpoint.sums = BlockSums()
      #expect(job?.checkpoint == checkpoint)
      var known = file
      known.outcome = outcome
      #expect(job?.specification.options.adopts == known)
      let recorded = try await stores.other.sums(of: id)
      #expect(recorded == sums)
      _ = try await stores.one.endAttempt(id, runner, as: .interrupted)
      _ = try await stores.other.renew(id, with: try specification("http://h/a", priority: 3))
      job = try await stores.one.job(id)
      #expect((job?.specification.options.adopts, job?.specification.priority) == (known, 3))
    },
    ContractCheck("a name is fixed once, and is the target of only one unfinished job") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      func fix(_ id: JobID, _ name: String, _ policy: ConflictPolicy) async throws(Failure) -> String? {
        try await stores.one.fixName(
          id, runner: runner, directory: "/d", name: name, policy: policy, taken: ["n.1"])
      }
      let (first, again) = (try await fix(ids[0], "n", .fail), try await fix(ids[0], "m", .fail))
      #expect((first, again) == ("n", "n"))
      await #expect(throws: Failure.self) { try await fix(ids[1], "n", .fail) }
      let renamed = try await fix(ids[1], "n", .rename)
      #expect(renamed != nil && renamed != "n" && renamed != "n.1")
    },
    ContractCheck("N6 a held job gets another name than the keys that are taken and the jobs that have one") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      _ = try await stores.one.fixName(ids[0], runner: runner, directory: "/d", name: "n", policy: .fail, taken: [])
      _ = try await stores.one.fixName(ids[1], runner: runner, directory: "/d", name: "n.1", policy: .fail, taken: [])
      let lost = try await stores.other.takeName(ids[0], runner: UUID(), name: "n", taken: ["n"])
      #expect(lost == nil)
      let own = try await stores.one.takeName(ids[0], runner: runner, name: "n", taken: [])
      #expect(own == "n")
      let other = try await stores.one.takeName(ids[0], runner: runner, name: "n", taken: ["n"])
      let name = try await stores.other.job(ids[0])?.fileName
      #expect(other == "n.2" && name == "n.2")
    },
    ContractCheck("rules change a held job, which is found by the directory that was asked for") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      let asked = try await stores.one.job(ids[0])?.specification
      _ = try await stores.one.fixName(ids[0], runner: runner, directory: "/d", name: "n", policy: .fail, taken: [])
      let directory = asked?.directory ?? ""
      let ruled = try await stores.one.applyRules(ids[0], runner: runner) { job in
        (job.directory, job.queue, job.priority, job.options.rateLimit) = ("/v", "films", 3, 500)
        job.options.askedDirectory = directory
      }
      let job = try await stores.other.job(ids[0])
      #expect(job == ruled)
      #expect((job?.specification.directory, job?.fileName, job?.specification.queue) == ("/v", "n", "films"))
      #expect((job?.specification.priority, job?.specification.options.rateLimit) == (3, 500))
      var found: [JobID?] = []
      for place in [directory, "/v", "/w"] {
        let key = DownloadKey(url: "http://h/a", directory: place, output: asked?.output)
        found.append(try await stores.other.find(key)?.id)
      }
      #expect(found == [ids[0], ids[0], nil])
      // Two unfinished jobs never share a target.
      _ = try await stores.one.fixName(ids[1], runner: runner, directory: "/d", name: "n", policy: .fail, taken: [])
      await #expect(throws: Failure.self) {
        try await stores.one.applyRules(ids[1], runner: runner, { $0.directory = "/v" })
      }
    },
    ContractCheck("a held job gets another link, and keeps its bytes") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      _ = try await stores.one.checkpoint(
        [(id, Checkpoint(segments: SegmentSet(0..<10), size: 20))], since: [:], expecting: [], runner: runner)
      let link = try RequestURL.parse("https://cdn/a?sig=2").url
      let isForeign = try await stores.other.replaceLink(id, runner: UUID()) { $0.request.url = link }
      let isOwn = try await stores.one.replaceLink(id, runner: runner) { job in
        job.request = job.request.moved(to: link)
        job.request.headers = [HeaderField("X-A", "1")]
        job.options.mirrors = [link]
      }
      let job = try await stores.other.job(id)
      #expect(!isForeign && isOwn && job?.specification.request.url == link && job?.runner == runner)
      #expect(job?.specification.request.headers == [HeaderField("X-A", "1")])
      #expect(job?.specification.options.mirrors == [link] && job?.checkpoint.segments == SegmentSet(0..<10))
    },
    ContractCheck("an interrupted job keeps its bytes, a failed one does not") { stores in
      let runner = UUID()
      for state in [JobState.interrupted, .paused, .failed] {
        let id = try await stores.one.held(state.rawValue, by: runner)
        let checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20)
        _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner)
        let isStopped = try await stores.one.endAttempt(id, runner, as: state)
        #expect(isStopped)
        let job = try await stores.other.job(id)
        #expect((job?.state, job?.runner, job?.failure?.reason) == (state, nil, "gone"))
        #expect(job?.checkpoint.segments == (state == .failed ? SegmentSet() : SegmentSet(0..<10)))
        let attempts = try await stores.other.attempts(of: id).map(\.outcome)
        #expect(attempts == [state.rawValue])
      }
    },
    ContractCheck("a job is retried when it is due, with its remaining retries") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let isQueued = try await stores.one.requeue(
        id, runner: runner, notBefore: 50, now: 3, retry: RetryRecord(used: 2, furthest: 10), failure: nil,
        attempt: nil, pending: .drop)
      #expect(isQueued)
      let early = try await stores.other.claim(runner, now: 49)
      #expect(early.isEmpty)
      let due = try await stores.other.claim(runner, now: 50)
      #expect(due.map(\.retry) == [RetryRecord(used: 2, furthest: 10)])
    },
    ContractCheck("P10 a request that was sent is not repeated automatically") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let isHeld = try await stores.one.beginSubmission(id, runner: runner, now: 3)
      #expect(isHeld)
      _ = try await stores.one.release(runner)
      let (some, others) = (
        try await stores.other.requeueInterrupted(scope: .all, now: 4),
        try await stores.other.requeueAbandoned(scope: .all)
      )
      #expect((some, others) == ([], []))
      let state = try await stores.one.state(of: id)
      #expect(state == .interrupted)
    },
  ]

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
