// Promises of any job store to readers.

import DrayCore
import DrayStore
import Foundation
import Synchronization
import Testing

extension ContractCheck {
  static let looking = [
    ContractCheck("every job is read once and in order, for any number of jobs") { stores in
      let ids = try await stores.one.add(
        (0..<1100).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil
      ).map(\.id)
      let paused = [ids[3], ids[1050]]
      _ = try await stores.one.pause(paused)
      var (all, queued): ([JobID], [JobID]) = ([], [])
      try await stores.other.forEachSummary { all.append($0.id) }
      try await stores.other.forEachSummary(states: [.queued]) { queued.append($0.id) }
      #expect(all == ids)
      #expect(queued == ids.filter { !paused.contains($0) })
      struct Enough: Error {}
      var count = 0
      await #expect(throws: Enough.self) {
        try await stores.other.forEachSummary { _ in
          count += 1
          if count == 2 { throw Enough() }
        }
      }
      #expect(count == 2)
    },
    ContractCheck("the newest jobs are found by the first digits of their numbers") { stores in
      let ids = try await stores.one.add(
        (0..<120).map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil
      ).map(\.id)
      _ = try await stores.one.pause([ids[11], ids[110]])
      let states: Set<JobState> = [.queued]
      let all = try await stores.other.newest(states: states, idsBeginningWith: "1", limit: 99).map(\.id)
      #expect(all == ids.reversed().filter { "\($0)".hasPrefix("1") && $0 != ids[11] && $0 != ids[110] })
      let first = try await stores.other.newest(states: states, idsBeginningWith: "", limit: 2).map(\.id)
      #expect(first == [ids[119], ids[118]])
      let paused = try await stores.other.newest(states: [.paused], idsBeginningWith: "1", limit: 1).map(\.id)
      #expect(paused == [ids[110]])
    },
    ContractCheck("the names of bodies are known as long as their jobs exist") { stores in
      var given = try specification("http://h/a")
      given.request.method = "POST"
      given.request.body = RequestBody(path: "/state/bodies/one", length: 3, contentType: nil)
      let id = try await stores.one.add([given, try specification("http://h/b")], marks: [], now: 1, seen: nil)[0].id
      var names = try await stores.other.bodyNames()
      #expect(names == ["one"])
      _ = try await stores.one.remove([id])
      names = try await stores.other.bodyNames()
      #expect(names.isEmpty)
    },
    ContractCheck("ended attempts are counted by job, each once") { stores in
      let runner = UUID()
      let a = try await stores.one.held("a", by: runner)
      _ = try await stores.one.endAttempt(a, runner, as: .interrupted)
      let start = try await stores.other.endedAttempts(after: .max)
      #expect(start.jobs.isEmpty)
      for _ in 0..<2 {
        _ = try await stores.one.resume([a])
        _ = try await stores.one.claim(runner)
        _ = try await stores.one.endAttempt(a, runner, as: .interrupted)
      }
      let b = try await stores.one.held("b", by: runner)
      _ = try await stores.one.finish([.sample(b)], runner: runner, now: 3)
      let ended = try await stores.other.endedAttempts(after: start.last)
      #expect(ended.jobs == [a: 2, b: 1])
      let none = try await stores.other.endedAttempts(after: ended.last)
      #expect(none.jobs.isEmpty && none.last == ended.last)
      // A job's additional rows do not hide the next job.
      _ = try await stores.one.remove([b])
      let c = try await stores.one.held("c", by: runner)
      _ = try await stores.one.finish([.sample(c)], runner: runner, now: 4)
      let later = try await stores.other.endedAttempts(after: ended.last)
      #expect(later.jobs == [c: 1])
    },
    ContractCheck("a change by any process is reported, until the observation ends") { stores in
      let (first, second) = (Reports(), Reports())
      var observation: ChangeObservation? = stores.one.observeChanges { first.add() }
      #expect(await first.reach(1))
      // The first look may be reported twice.
      try await Task.sleep(for: .milliseconds(300))
      let count = first.count
      _ = try await stores.other.add("a")
      #expect(await first.reach(count + 1))
      withExtendedLifetime(observation) {}
      observation = nil
      let ended = first.count
      let other = stores.one.observeChanges { second.add() }
      #expect(await second.reach(1))
      for name in ["b", "c", "d", "e"] {
        let count = second.count
        _ = try await stores.one.add(name)
        #expect(await second.reach(count + 1))
      }
      // A report may have been on its way when the observation ended, but not four.
      #expect(first.count <= ended + 1)
      withExtendedLifetime(other) {}
    },
  ]

  /// Counts the reports of an observation.
  private final class Reports: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock(\.self) }

    func add() { number.withLock { $0 += 1 } }

    /// Waits until there are this many; `false` if they do not arrive.
    func reach(_ wanted: Int) async -> Bool {
      for _ in 0..<6000 where count < wanted { try? await Task.sleep(for: .milliseconds(10)) }
      return count >= wanted
    }
  }
}
