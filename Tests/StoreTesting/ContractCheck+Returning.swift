// Promises of any job store about undone removals, and about feeds.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let returning = [
    ContractCheck("an undone removal creates a new job, and a failed job is failed again") { stores in
      let ids = try await stores.one.add(
        [try specification("http://h/a"), try specification("http://h/b", priority: 2)], marks: [], now: 1, seen: nil
      ).map(\.id)
      _ = try await stores.one.pause([ids[0]])
      var removed = try await stores.one.jobs(ids: ids)
      removed[1].state = .failed
      removed[1].failure = Failure(.status, "http://h/b", "it is gone", httpStatus: 404)
      removed[1].finishedAt = 7
      removed[1].attempts = 3
      _ = try await stores.one.remove(ids)
      let back = try await stores.other.restore(removed, now: 9)
      #expect(back.allSatisfy { !$0.existing && !ids.contains($0.id) })
      let jobs = try await stores.one.jobs(ids: back.map(\.id))
      #expect(jobs.map(\.state) == [.paused, .failed])
      #expect(jobs[1].failure == removed[1].failure && jobs[1].attempts == 3 && jobs[1].finishedAt == 7)
      #expect(jobs[1].specification.priority == 2 && jobs[1].addedAt == removed[1].addedAt)
      // A repeated undo finds the existing job.
      let again = try await stores.other.restore([removed[0]], now: 9)
      #expect(again.map(\.existing) == [true] && again[0].id == back[0].id)
    },
    ContractCheck("a removed complete job is complete again, with its file") { stores in
      let id = try await stores.one.add("a")[0]
      var job = try #require(try await stores.one.job(id))
      job.state = .complete
      job.fileName = "a"
      job.checkpoint.segments = SegmentSet(0..<5)
      job.checkpoint.size = 5
      job.finishedAt = 4
      _ = try await stores.one.remove([id])
      let back = try await stores.one.restore([job], now: 9)
      let found = try #require(try await stores.other.job(back[0].id))
      #expect(found.state == .complete && found.fileName == "a" && found.checkpoint.segments == SegmentSet(0..<5))
      #expect(try await stores.other.claim(UUID()).isEmpty)
    },
    ContractCheck("feeds with queued entries are listed, with the number of entries") { stores in
      let marks: Set = [FeedMark(feed: "f", guid: "a"), FeedMark(feed: "f", guid: "b"), FeedMark(feed: "e", guid: "a")]
      _ = try await stores.one.add([try specification("http://h/a")], marks: marks, now: 1, seen: nil)
      let feeds = try await stores.other.feeds()
      #expect(feeds == [StoredFeed(url: "e", entries: 1), StoredFeed(url: "f", entries: 2)])
    },
    ContractCheck("a name taken while publishing is another one, but no other job's") { stores in
      let runner = UUID()
      let ids = [try await stores.one.held("a", by: runner), try await stores.one.held("b", by: runner)]
      func permit(_ id: JobID, _ name: String, isAnother: Bool) async throws -> PublishPermit? {
        let naming = TargetNaming(directory: "/d", policy: isAnother ? .fail : .rename, isAnother: isAnother)
        let intent = PublishIntent(
          id: id, identity: Finished.sample(id).published, fileName: name, naming: naming)
        let permits: [PublishPermit] = try await stores.one.beginPublishing([intent], runner: runner, now: 3)
        return permits.first
      }
      var permits = [
        try await permit(ids[0], "n.1", isAnother: false), try await permit(ids[1], "n", isAnother: false),
      ]
      #expect(permits == [.granted("n.1"), .granted("n")])
      guard case .refused(let failure)? = try await permit(ids[1], "n.1", isAnother: true) else {
        Issue.record("another job's target was granted")
        return
      }
      #expect(failure.owner == Failure.TargetOwner(ids[0], isActive: true))
      permits = [try await permit(ids[1], "n.2", isAnother: true)]
      #expect(permits == [.granted("n.2")])
      let job = try await stores.other.job(ids[1])
      #expect(job?.fileName == "n.2" && job?.publishing != nil)
      // The same question without a publish.
      let download = try specification("http://h/x", directory: "/d")
      var owners: [JobID?] = []
      for (name, besides) in [("n.1", 0), ("n.1", ids[0]), ("n.2", 0), ("n", 0)] as [(String, JobID)] {
        owners.append(try await stores.other.targetOwner(name, of: download, besides: besides)?.job)
      }
      #expect(owners == [ids[0], nil, ids[1], nil])
    },
    ContractCheck("the owner of a target tells how long it pauses") { stores in
      let (runner, download) = (UUID(), try specification("http://h/x", directory: "/d"))
      for (number, pause) in ([5, -100, 3600, nil] as [Double?]).enumerated() {
        let name = "f\(number)"
        let id = try await stores.one.held(name, by: runner)
        _ = try await stores.one.fixName(id, runner: runner, directory: "/d", name: name, policy: .fail, taken: [])
        let now = Date().timeIntervalSince1970
        _ = try await stores.one.requeue(
          id, runner: runner, notBefore: pause.map { now + $0 }, now: now, retry: RetryRecord(), failure: nil,
          attempt: nil)
        let owner = try #require(try await stores.other.targetOwner(name, of: download, besides: 0))
        #expect(owner.job == id && owner.isPausing == (pause == 5), "\(owner)")
      }
    },
  ]
}
