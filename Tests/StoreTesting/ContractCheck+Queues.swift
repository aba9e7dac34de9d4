// Promises of any job store about named queues.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  /// Adds jobs to a queue.
  private static func add(
    _ count: Int, to queue: String?, _ store: any JobStoring
  ) async throws -> [JobID] {
    let all = try (0..<count).map { number in
      var one = try specification("http://h/\(queue ?? "free")/\(number)")
      one.queue = queue
      return one
    }
    return try await store.add(all, marks: [], now: 1, seen: nil).map(\.id)
  }

  private static func gates(
    _ queues: [NamedQueue], at now: Double = 2
  ) -> QueueGates { QueueGates(queues, at: now, zone: .utc) }

  static let queues = [
    ContractCheck("the settings of a queue are kept, changed by any process, and removed") { stores in
      let made = try await stores.one.changeQueue("films") { settings in
        settings.jobs = 2
        settings.rate = "1M"
        settings.directory = "/d"
        settings.quota = QueueQuota(bytes: 10, period: .day)
      }
      _ = try await stores.other.changeQueue("books") { $0.isPaused = true }
      _ = try await stores.other.changeQueue("films") { $0.jobs = 3 }
      var all = try await stores.one.queues()
      var films = made
      films.settings.jobs = 3
      var books = NamedQueue("books")
      books.settings.isPaused = true
      #expect(all == [books, films])
      let isRemoved = try await stores.one.removeQueue("films")
      let again = try await stores.one.removeQueue("films")
      all = try await stores.other.queues()
      #expect(isRemoved && !again && all == [books])
    },
    ContractCheck("the queue of a job is kept, counted, and changed only where another is named") { stores in
      let ids = try await add(2, to: "films", stores.one) + add(1, to: nil, stores.one)
      _ = try await stores.one.pause([ids[1]])
      let counts = try await stores.other.queueCounts()
      #expect(counts == ["films": [.queued: 1, .paused: 1]])
      let rows = try await stores.other.summaries(ids: ids)
      #expect(rows.map(\.queue) == ["films", "films", nil])
      _ = try await stores.other.renew(ids[0], with: try specification("http://h/films/0"))
      var job = try #require(try await stores.one.job(ids[0]))
      #expect(job.specification.queue == "films")
      var wanted = job.specification
      wanted.queue = "books"
      try await stores.other.change([JobRevision(job, wanted)], runner: nil, now: 3)
      job = try #require(try await stores.one.job(ids[0]))
      #expect(job.specification.queue == "books")
    },
    ContractCheck("jobs of a closed queue are not claimed, and are due when it opens") { stores in
      let closed = try await add(300, to: "films", stores.one)
      let free = try await add(1, to: nil, stores.one)
      _ = try await stores.one.changeQueue("films") { $0.isPaused = true }
      var queues = try await stores.one.queues()
      var claimed = try await stores.other.claim(
        runner: UUID(), limit: 9, scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues), now: 2)
      #expect(claimed.map(\.id) == free)
      var due = try await stores.one.nextDue(
        scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues), runner: UUID(), now: 2)
      var goesOn = try await stores.one.mayGoOn(scope: .all, queues: gates(queues), now: 2)
      #expect(due == nil && !goesOn)

      _ = try await stores.one.changeQueue("films") { settings in
        settings.isPaused = false
        settings.quota = QueueQuota(bytes: 100, period: .day)
      }
      try await stores.other.addUsage(60, of: "films", since: 0)
      try await stores.one.addUsage(40, of: "films", since: 0)
      queues = try await stores.one.queues()
      #expect(queues.first?.usage == QueueUsage(bytes: 100, since: 0))
      due = try await stores.one.nextDue(
        scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues), runner: UUID(), now: 2)
      goesOn = try await stores.one.mayGoOn(scope: .all, queues: gates(queues), now: 2)
      #expect(due == 86_400 && goesOn)
      claimed = try await stores.one.claim(
        runner: UUID(), limit: 1, scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues), now: 2)
      #expect(claimed.isEmpty)
      claimed = try await stores.one.claim(
        runner: UUID(), limit: 1, scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues, at: 86_400), now: 86_400
      )
      #expect(claimed.map(\.id) == [closed[0]])
      try await stores.one.addUsage(5, of: "films", since: 86_400)
      queues = try await stores.one.queues()
      #expect(queues.first?.usage == QueueUsage(bytes: 5, since: 86_400))
    },
    ContractCheck("a job is claimed once its queue and its own window are open") { stores in
      var job = try specification("http://h/both")
      (job.queue, job.window) = ("films", try TransferWindow.parse("01:00-03:00"))
      let id = try await stores.one.add([job], marks: [], now: 1, seen: nil)[0].id
      _ = try await stores.one.changeQueue("films") { $0.between = "02:00-04:00" }
      let queues = try await stores.other.queues()
      // Each is closed at 00:00:02, only the queue at 01:00, none at 02:00, only the job's window at 03:00.
      for (now, opening) in [(2.0, 7200.0), (3600, 7200), (7200, 7200), (10_800, 90_000)] as [(Double, Double)] {
        let due = try await stores.other.nextDue(
          scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues, at: now), runner: UUID(), now: now)
        #expect(due == opening, "\(now)")
      }
      let goesOn = try await stores.other.mayGoOn(scope: .all, queues: gates(queues), now: 2)
      #expect(goesOn)
      for now in [2.0, 3600, 10_800, 7200] {
        let claimed = try await stores.one.claim(
          runner: UUID(), limit: 9, scope: .all, jobsPerOrigin: .unlimited, queues: gates(queues, at: now), now: now)
        #expect(claimed.map(\.id) == (now == 7200 ? [id] : []), "\(now)")
      }
    },
    ContractCheck("a queue has at most so many jobs at once, over all runners") { stores in
      let films = try await add(3, to: "films", stores.one)
      let free = try await add(1, to: nil, stores.one)
      _ = try await stores.one.changeQueue("films") { $0.jobs = 2 }
      let limited = gates(try await stores.one.queues())
      let (first, second) = (UUID(), UUID())
      var claimed = try await stores.one.claim(
        runner: first, limit: 1, scope: .all, jobsPerOrigin: .unlimited, queues: limited, now: 2)
      #expect(claimed.map(\.id) == [films[0]])
      claimed = try await stores.other.claim(
        runner: second, limit: 9, scope: .all, jobsPerOrigin: .unlimited, queues: limited, now: 2)
      #expect(claimed.map(\.id) == [films[1], free[0]])
      let due = try await stores.other.nextDue(
        scope: .all, jobsPerOrigin: .unlimited, queues: limited, runner: second, now: 2)
      let goesOn = try await stores.other.mayGoOn(scope: .all, queues: limited, now: 2)
      #expect(due == nil && goesOn)
      _ = try await stores.one.endAttempt(films[0], first, as: .interrupted)
      claimed = try await stores.other.claim(
        runner: second, limit: 9, scope: .all, jobsPerOrigin: .unlimited, queues: limited, now: 3)
      #expect(claimed.map(\.id) == [films[2]])
    },
  ]
}
