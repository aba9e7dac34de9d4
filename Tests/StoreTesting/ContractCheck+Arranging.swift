// The promises about arrangements of complete files: other requests add to them, and none is lost.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  private static func links(_ path: String) -> SourceArrangement { .link(path: path) }

  private static func arranged(_ path: String, _ arrangements: [SourceArrangement]) throws -> JobSpecification {
    var job = try specification("http://h/\(path)", output: path)
    job.options.source = SourceReference(name: "x:y", path: path, arrangements: arrangements)
    return job
  }

  static let arranging = [
    ContractCheck("arrangements are added to jobs in any state, all or none") { stores in
      let (runner, first) = (UUID(), links("a"))
      let jobs = try ["a", "b", "c"].map { try arranged($0, [first]) } + [try specification("http://h/d")]
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      _ = try await stores.one.claim(runner, limit: 1)
      _ = try await stores.other.pause([ids[1]])
      let wanted = Dictionary(uniqueKeysWithValues: (ids + [99_999]).map { ($0, [links("b")]) })
      let states = try await stores.other.arrange(wanted, mayReplace: true)
      #expect(states == [ids[0]: .active, ids[1]: .paused, ids[2]: .queued, ids[3]: .queued])
      let found = try await stores.one.jobs(ids: ids)
      let both = [first, links("b")]
      #expect(found.map(\.specification.arrangements) == [both, both, both, []])
      let many = (0..<ArrangementRule.most).map { links("\($0)") }
      await #expect(throws: Failure.self) {
        _ = try await stores.other.arrange([ids[0]: [links("x")], ids[1]: many], mayReplace: true)
      }
      let unchanged = try await stores.one.job(ids[0])
      #expect(unchanged?.specification.arrangements == [first, links("b")])
    },
    ContractCheck("a request for the same bytes at another server gives an unfinished job a mirror") { stores in
      let digest = DigestValue(.sha256, bytes: Array(repeating: 7, count: 32))
      func job(_ server: String, _ path: String) throws -> JobSpecification {
        var job = try arranged(digest.hex, [links(path)])
        (job.request.url, job.options.digest) = (try url("http://\(server)/\(digest.hex)"), digest)
        return job
      }
      let id = try await stores.one.add([try job("h", "a")], marks: [], now: 1, seen: nil)[0].id
      for _ in 0..<2 {
        let states = try await stores.other.arrange(
          [id: [links("b")]], for: [id: [try job("h", "b"), try job("other", "b")]], mayReplace: true)
        #expect(states == [id: .queued])
        let found = try await stores.one.job(id)?.specification
        #expect(found?.options.mirrors?.map(\.string) == ["http://other/\(digest.hex)"])
        let both = [links("a"), links("b")]
        #expect(found?.arrangements == both && found?.request.url.string == "http://h/\(digest.hex)")
      }
    },
    ContractCheck("P3: a removed group leaves the jobs that other names wait for, without what it wanted itself") {
      stores in
      let (own, other) = (links("s/a"), links("t/a"))
      let group = JobGroup(url: try url("http://h/pub/"), directory: "/d")
      let jobs = try [[own, other], [own], [own, other], [own, other]].enumerated().map { index, list in
        var job = try arranged("\(index)", list)
        job.group = group
        return job
      }
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      let first = ArrangementRule.Removed(jobs)
      _ = try await stores.one.claim(UUID(), limit: 1)
      _ = try await stores.one.pause([ids[2]])
      let results = try await stores.other.remove(Array(ids[0..<3]), with: first)
      #expect(results.map(\.id) == [ids[1]])
      let left = try await stores.one.jobs(ids: ids)
      #expect(left.map(\.id) == [ids[0], ids[2], ids[3]] && left.map(\.state) == [.active, .paused, .queued])
      #expect(left.map(\.specification.arrangements) == [[other], [other], [own, other]])
      let grouped = try await stores.one.ids(inGroup: 1, states: Set(JobState.allCases))
      #expect(grouped == [ids[3]])
      let last = try await stores.other.remove([ids[3]], with: first)
      #expect(last.isEmpty)
      let groups = try await stores.one.groups()
      #expect(groups.isEmpty)
      // No other name waits for the remaining files, so both jobs are removed.
      let all = try await stores.other.remove([ids[2], ids[3]], with: first).map(\.id)
      #expect(all == [ids[2], ids[3]])
      // If the other name is removed as well, nothing stays, although its jobs come in another step.
      let shared = try await stores.one.add([jobs[0]], marks: [], now: 1, seen: nil).map(\.id)
      let both = ArrangementRule.Removed([jobs[0], try arranged("4", [other])])
      let gone = try await stores.other.remove(shared, with: both).map(\.id)
      #expect(gone == shared)
    },
    ContractCheck("a job is completed only after all that is to be done with its file (P3)") { stores in
      let (runner, first) = (UUID(), links("a"))
      let jobs = [try arranged("a", [first]), try arranged("b", [first])]
      let ids = try await stores.one.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
      _ = try await stores.one.claim(runner)
      // Another request comes after the runner has claimed the jobs.
      _ = try await stores.other.arrange([ids[0]: [links("b")]], mayReplace: true)
      func finished(_ id: JobID, _ arranged: [SourceArrangement]?) -> Finished {
        var finished = Finished.sample(id)
        finished.arranged = arranged
        return finished
      }
      let held = try await stores.one.finish(ids.map { finished($0, [first]) }, runner: runner, now: 5)
      #expect(held == [ids[1]])
      let job = try await stores.other.job(ids[0])
      #expect(job?.state == .active && job?.runner == runner)
      let both = [first, links("b")]
      let start = try await stores.one.beginPublishing(
        [], after: [finished(ids[0], both)], runner: runner, now: 6, isDurable: true)
      #expect(start.ended == [ids[0]])
      let states = try await stores.other.arrange([ids[0]: [links("c")]], mayReplace: true)
      #expect(states == [ids[0]: .complete])
    },
  ]
}
