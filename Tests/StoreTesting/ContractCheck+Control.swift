// Promises of any job store about commands, and about shared settings.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let control = [
    ContractCheck("a command for a held job reaches its runner, and can be taken back") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let asked = try await stores.other.pause([id])
      guard case .asked = asked[0].result else { throw Unmet("a held job is asked of its runner") }
      var commands = try await stores.one.commands(runner: runner).map(\.command)
      #expect(commands == [.pause])
      let isStopped = try await stores.one.endAttempt(id, runner, as: .interrupted, pending: .yield)
      #expect(!isStopped)
      _ = try await stores.other.resume([id])
      commands = try await stores.one.commands(runner: runner).map(\.command)
      #expect(commands.isEmpty)
      let isPaused = try await stores.one.endAttempt(id, runner, as: .paused, pending: .carryOut(.pause))
      #expect(!isPaused)
      let state = try await stores.other.state(of: id)
      #expect(state == .active)
    },
    ContractCheck("a command for a free job takes effect at once") { stores in
      let id = try await stores.one.add("a")[0]
      _ = try await stores.other.pause([id])
      var state = try await stores.one.state(of: id)
      #expect(state == .paused)
      _ = try await stores.other.resume([id])
      state = try await stores.one.state(of: id)
      #expect(state == .queued)
      let results = try await stores.other.remove([id, id])
      guard case .done(let job) = results[0].result else { throw Unmet("the job as it was") }
      #expect(job.id == id)
      #expect(results[1].result == .unknown)
      state = try await stores.one.state(of: id)
      #expect(state == nil)
    },
    ContractCheck("a command for all jobs goes in steps, and returns the jobs that need more than the store") {
      stores in
      let runner = UUID()
      let held = try await stores.one.held("held", by: runner)
      let kept = try await stores.one.makeJob("kept", in: .interrupted, runner: runner)
      let ids = try await stores.one.add("a", "b", "c")
      let states: Set<JobState> = [.queued, .active, .interrupted]
      var page = try await stores.other.control(.pause, allIn: states, after: 0, limit: 3)
      #expect((page.done, page.rest, page.last) == (2, [held], ids[0]))
      // The jobs beyond the limit are left to the next call.
      var left = try await stores.one.ids(states: [.queued])
      #expect(left == [ids[1], ids[2]])
      page = try await stores.other.control(.pause, allIn: states, after: ids[0], limit: 9)
      #expect((page.done, page.rest, page.last) == (2, [], ids[2]))
      page = try await stores.other.control(.pause, allIn: states, after: ids[2], limit: 9)
      #expect(page == ControlPage())
      left = try await stores.one.ids(states: [.paused])
      #expect(left == [kept] + ids)
      page = try await stores.other.control(.resume, allIn: [.interrupted, .paused], after: 0, limit: 9)
      #expect((page.done, page.rest, page.last) == (4, [], ids[2]))
      let after = try await stores.one.add("d", after: [ids[1]])[0]
      page = try await stores.other.control(.remove, allIn: Set(JobState.allCases), after: 0, limit: 4)
      #expect((page.done, page.rest, page.last) == (2, [held, kept], ids[1]))
      left = try await stores.one.ids(states: [.failed])
      #expect(left == [after])
      left = try await stores.one.ids(states: Set(JobState.allCases))
      #expect(left == [held, kept, ids[2], after])
    },
    ContractCheck("a new URL keeps the bytes, and drops the secrets of the old origin") { stores in
      let runner = UUID()
      var given = try specification("http://h/a")
      given.request.headers = [HeaderField("Authorization", "secret")]
      let id = try await stores.one.add([given], marks: [], now: 1, seen: nil)[0].id
      _ = try await stores.one.claim(runner)
      let checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20)
      _ = try await stores.one.checkpoint([(id, checkpoint)], since: [:], expecting: [], runner: runner)
      _ = try await stores.one.endAttempt(id, runner, as: .interrupted)
      _ = try await stores.other.setURL(id, try url("http://other/a"), keepingCredentials: false) { $0 }
      let job = try await stores.one.job(id)
      #expect((job?.state, job?.checkpoint.segments) == (.queued, SegmentSet(0..<10)))
      #expect(job?.specification.request.url.string == "http://other/a")
      #expect(job?.specification.request.headers.isEmpty == true)
    },
    ContractCheck("moved links keep the bytes or start over, all or none, and never a held job (P2, P3)") { stores in
      let runner = UUID()
      let ids = try await stores.one.add("a", "b", "c")
      _ = try await stores.one.claim(runner)
      let checkpoint = Checkpoint(segments: SegmentSet(0..<10), size: 20)
      _ = try await stores.one.checkpoint(ids.map { ($0, checkpoint) }, since: [:], expecting: [], runner: runner)
      for id in ids.prefix(2) { _ = try await stores.one.endAttempt(id, runner, as: .interrupted) }
      let new = Dictionary(uniqueKeysWithValues: try ids.map { ($0, try url("http://other/\($0)")) })
      await #expect(throws: Failure.self) {
        _ = try await stores.other.moveLinks(of: ids) { job throws(Failure) in
          if job.id == ids[1] { throw Failure(.usage, "x", "no") }
          var moved = job.specification
          moved.request.url = new[job.id] ?? moved.request.url
          return (moved, true)
        }
      }
      let unmoved = try await stores.one.jobs(ids: ids)
      #expect(unmoved.allSatisfy { $0.specification.request.url != new[$0.id] && $0.checkpoint.segments.count == 10 })
      let begun = try await stores.other.moveLinks(of: ids) { job throws(Failure) in
        var moved = job.specification
        (moved.request.url, moved.options.retries) = (new[job.id] ?? moved.request.url, 9)
        return (moved, job.id == ids[0])
      }
      #expect(begun.map(\.id) == [ids[0]])
      let jobs = try await stores.one.jobs(ids: ids)
      #expect(jobs.map(\.checkpoint) == [Checkpoint(), checkpoint, checkpoint])
      #expect(jobs.map(\.state) == [.queued, .queued, .active])
      #expect(jobs.map { $0.specification.request.url == new[$0.id] } == [true, true, false])
      #expect(jobs.map { $0.specification.options.retries == 9 } == [true, true, false])
    },
    ContractCheck("a retry starts a job over, and queues the jobs that failed because of it") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let after = try await stores.one.add("b", after: [id])[0]
      _ = try await stores.one.endAttempt(id, runner, as: .failed)
      _ = try await stores.other.retry([id], with: [:])
      let states = try await stores.one.states(of: [id, after])
      #expect(states == [id: .queued, after: .queued])
      let job = try await stores.one.job(id)
      #expect(job?.failure == nil)
    },
    ContractCheck("a change applies to all jobs or none, and to no job that has changed since") { stores in
      let ids = try await stores.one.add("a", "b")
      func revisions(_ change: (inout JobSpecification) -> Void) async throws -> [JobRevision] {
        try await stores.other.jobs(ids: ids).map { job in
          var wanted = job.specification
          change(&wanted)
          return JobRevision(job, wanted)
        }
      }
      let wanted = try await revisions {
        $0.options.retries = 9
        $0.directory = "/e"
      }
      func refusal(_ revisions: [JobRevision]) async -> Failure.Kind? {
        do throws(Failure) {
          try await stores.other.change(revisions, runner: nil, now: 4)
          return nil
        } catch {
          return error.kind
        }
      }
      try await stores.other.change(wanted, runner: nil, now: 3)
      let changed = try await stores.one.jobs(ids: ids)
      #expect(changed.map(\.specification) == wanted.map(\.specification))
      #expect(changed.map(\.state) == [.queued, .queued])
      // A repeated change is based on outdated jobs.
      let again = await refusal(wanted)
      #expect(again == .other)
      // Both have the same name: the second takes the first one's target.
      let one = try await revisions { $0.output = "f" }
      let clash = await refusal(one)
      #expect(clash == .file)
      let runner = UUID()
      let held = try await revisions { $0.options.retries = 3 }
      _ = try await stores.one.claim(runner, limit: 1)
      let refused = await refusal(held)
      #expect(refused == .other)
      let left = try await stores.one.jobs(ids: ids)
      #expect(left.map(\.specification) == wanted.map(\.specification))
    },
    ContractCheck("a job is held while its part file moves, and is then changed or as before") { stores in
      let runner = UUID()
      let ids = try await stores.one.add("a", "b", "c")
      _ = try await stores.one.pause([ids[1]])
      let revisions = try await stores.one.jobs(ids: ids).map { job in
        var wanted = job.specification
        wanted.directory = "/e"
        return JobRevision(job, wanted)
      }
      try await stores.one.beginMove(revisions, runner: runner)
      let held = try await stores.other.jobs(ids: ids)
      #expect(held.map(\.state) == [.active, .active, .active])
      #expect(held.map(\.specification.directory) == ["/d", "/d", "/d"])
      #expect(held.map(\.specification.options.moving?.to.path) == ["/e", "/e", "/e"])
      let claimed = try await stores.other.claim(UUID())
      #expect(claimed.isEmpty)
      let moved = try await stores.other.movedJobs(ofDeadRunners: [runner])
      #expect(Set(moved.map(\.id)) == Set(ids))
      try await stores.one.change(Array(revisions.prefix(2)), runner: runner, now: 3)
      _ = try await stores.other.remove([ids[2]])
      try await stores.one.endMove(ids, runner: runner)
      let now = try await stores.other.jobs(ids: ids)
      // Recovery handles the last job's command.
      #expect(now.map(\.state) == [.queued, .paused, .active])
      #expect(now.map(\.specification.directory) == ["/e", "/e", "/d"])
      #expect(now.map(\.specification.options.moving) == [nil, nil, nil])
    },
    ContractCheck("a dead runner's move ends once the part file is in one place") { stores in
      let dead = UUID()
      let id = try await stores.one.add("a")[0]
      let job = try #require(try await stores.one.job(id))
      var wanted = job.specification
      wanted.directory = "/e"
      try await stores.one.beginMove([JobRevision(job, wanted)], runner: dead)
      // A caller that names another runner does not end the move.
      try await stores.other.recordMoveEnd(id, ofDeadRunner: UUID())
      var moved = try await stores.other.movedJobs(ofDeadRunners: [dead]).map(\.id)
      #expect(moved == [id])
      try await stores.other.recordMoveEnd(id, ofDeadRunner: dead)
      moved = try await stores.other.movedJobs(ofDeadRunners: [dead]).map(\.id)
      #expect(moved.isEmpty)
      let settled = try await stores.one.job(id)
      #expect((settled?.state, settled?.runner) == (.active, dead))
      #expect(settled?.specification == job.specification)
    },
    ContractCheck("a complete job is checked again with the current request, and keeps its published file") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      var finished = Finished.sample(ids[0])
      finished.digest = SourcedDigest(DigestValue(.sha256, bytes: Array(repeating: 7, count: 32)), .computed)
      _ = try await stores.one.finish([finished], runner: runner, now: 3)
      let wanted = try await stores.one.jobs(ids: ids).map { job in
        var wanted = job.specification
        wanted.request.userAgent = "new"
        return (id: job.id, specification: wanted)
      }
      try await stores.other.recheck(wanted)
      let jobs = try await stores.one.jobs(ids: ids)
      #expect(jobs.map(\.state) == [.queued, .active])
      #expect(jobs.map(\.specification.request.userAgent) == ["new", nil])
      #expect(jobs[0].published == finished.published)
      #expect(jobs[0].digest == nil && jobs[0].checkpoint.segments.isEmpty)
    },
    ContractCheck("jobs imported from another store keep their order, prerequisites and bytes") { stores in
      let runner = UUID()
      var imported = try ["a", "b", "c"].map { ImportedJob(try specification("http://h/\($0)")) }
      imported[0].waitsFor = [2]
      (imported[1].isPaused, imported[1].fileName, imported[1].uuid) = (true, "n", UUID())
      var sums = BlockSums()
      sums.insert(0..<10, CRC32C())
      imported[1].checkpoint = Checkpoint(segments: SegmentSet(0..<10), sums: sums, size: 20)
      imported[2].isHeld = true
      let added = try await stores.one.restore(imported, runner: runner, now: 3)
      let jobs = try await stores.other.jobs(ids: added.map(\.id))
      #expect(jobs.map(\.state) == [.queued, .paused, .active])
      #expect((jobs[1].uuid, jobs[1].fileName) == (imported[1].uuid, "n"))
      #expect(jobs[1].checkpoint.segments == SegmentSet(0..<10) && jobs[1].checkpoint.size == 20)
      let (kept, waits) = (
        try await stores.other.sums(of: jobs[1].id), try await stores.other.prerequisites(of: jobs[0].id)
      )
      #expect(kept == sums)
      #expect(waits == [jobs[2].id])
      try await stores.one.endMove([jobs[2].id], runner: runner)
      let state = try await stores.other.state(of: jobs[2].id)
      #expect(state == .queued)
      let again = try await stores.one.restore(imported, runner: nil, now: 4)
      #expect(again.map(\.id) == added.map(\.id))
      #expect(again.map(\.existing) == [true, true, true])
    },
    ContractCheck("only finished jobs are forgotten") { stores in
      let runner = UUID()
      let done = try await stores.one.held("a", by: runner)
      _ = try await stores.one.finish([.sample(done)], runner: runner, now: 30)
      let left = try await stores.one.add("b")
      var count = try await stores.other.forgetFinished(before: 30)
      #expect(count == 0)
      count = try await stores.other.forgetFinished(before: nil)
      #expect(count == 1)
      let ids = try await stores.one.ids(states: Set(JobState.allCases))
      #expect(ids == left)
    },
    ContractCheck("finished jobs are forgotten in batches, the oldest first") { stores in
      var done: [JobID] = []
      for path in ["a", "b", "c"] { done.append(try await stores.one.makeJob(path, in: .complete)) }
      let first = try await stores.other.forgetFinished(before: nil, limit: 2)
      let left = try await stores.one.ids(states: Set(JobState.allCases))
      #expect(first == 2 && left == [done[2]])
      let second = try await stores.other.forgetFinished(before: nil, limit: 2)
      #expect(second == 1)
    },
  ]

  static let memory = [
    ContractCheck("starts of requests at an origin follow each other, whoever reserves them") { stores in
      var starts: [Double] = []
      for index in 0..<4 {
        let store = index % 2 == 0 ? stores.one : stores.other
        starts.append(try await store.reserveStart(at: "http://a", pause: 2, now: 10))
      }
      #expect(starts == [10, 12, 14, 16])
      let elsewhere = try await stores.one.reserveStart(at: "http://b", pause: 2, now: 10)
      #expect(elsewhere == 10)
      // The clock was set back.
      let back = try await stores.other.reserveStart(at: "http://a", pause: 2, now: 5)
      #expect(back == 5)
    },
    ContractCheck("settings, limits, documents, hosts and connections are shared") { stores in
      try await stores.one.set(.rateLimit, to: "2M")
      var setting = try await stores.other.setting(.rateLimit)
      #expect(setting == "2M")
      try await stores.other.set(.rateLimit, to: nil)
      setting = try await stores.one.setting(.rateLimit)
      #expect(setting == nil)

      let document = StoredDocument(
        url: try url("http://h/f"), finalURL: try url("http://h/g"), validators: Validators(etag: "\"1\""),
        fetchedAt: 3, content: [0, 255])
      try await stores.one.keep(document)
      let kept = try await stores.other.document(document.url)
      #expect(kept == document)

      let entry = HSTSEntry(host: "h", expiresAt: 10, includesSubdomains: true)
      try await stores.one.record(hsts: entry, now: 1)
      let (now, later) = (try await stores.other.hstsEntries(now: 2), try await stores.other.hstsEntries(now: 11))
      #expect(now == [entry])
      #expect(later.isEmpty)

      let offer = AltSvcEntry(origin: "https://h", expiresAt: 10)
      try await stores.one.record(altSvc: offer, now: 1)
      let (offered, gone) = (
        try await stores.other.altSvcEntries(now: 2), try await stores.other.altSvcEntries(now: 11)
      )
      #expect(offered == [offer])
      #expect(gone.isEmpty)

      try await stores.one.record(4, .connections, of: "http://h", now: 1)
      try await stores.one.record(32, .jobs, of: "http://h", now: 1)
      let (connections, jobs) = (
        try await stores.other.helpful(.connections, now: 2), try await stores.other.helpful(.jobs, now: 2)
      )
      #expect(connections == ["http://h": 4])
      #expect(jobs == ["http://h": 32])
      // It is valid for a day, and not before it was learnt: the clock may be set back.
      for time in [0.5, 200_000] {
        let none = try await stores.other.helpful(.jobs, now: time)
        #expect(none.isEmpty)
      }
    },
    ContractCheck("a job's own limit reaches its runner") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      let isThere = (
        try await stores.other.setRateLimit(1000, of: id), try await stores.other.setRateLimit(1, of: id + 1)
      )
      #expect(isThere == (true, false))
      var limits = try await stores.one.rateLimits(runner: runner)
      #expect(limits == [id: 1000])
      _ = try await stores.other.setRateLimit(nil, of: id)
      limits = try await stores.one.rateLimits(runner: runner)
      #expect(limits.isEmpty)
      var windows = try await stores.one.windows(runner: runner)
      #expect(windows.isEmpty)
      let found = try await stores.one.job(id)
      let held = try #require(found)
      let window = try TransferWindow.parse("01:00-07:00")
      var wanted = held.specification
      wanted.window = window
      let revision = JobRevision(held, wanted)
      try await stores.other.change([revision], runner: nil, now: 1)
      windows = try await stores.one.windows(runner: runner)
      #expect(windows == [id: window])
      wanted.options.retries = 9
      let another = JobRevision(held, wanted)
      await #expect(throws: Failure.self) { try await stores.other.change([another], runner: nil, now: 1) }
    },
    ContractCheck("session cookies are stored for the holder of a job") { stores in
      let runner = UUID()
      let id = try await stores.one.held("a", by: runner)
      try await stores.one.record(sessionCookies: ["x", "y"], of: id, runner: runner)
      try await stores.one.record(sessionCookies: ["z"], of: id, runner: UUID())
      let lines = try await stores.other.sessionCookies(id)
      #expect(lines == ["x", "y"])
    },
  ]

  /// A precondition of a check failed.
  struct Unmet: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
