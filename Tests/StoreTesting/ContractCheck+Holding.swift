// Promises of any job store about held jobs: what their runner may change, and nobody else.

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
}
