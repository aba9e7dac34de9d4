// Lanes of the fleet's queue: which are open, and searches with few and many of them.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@testable import DrayStore

@Suite("PostgreSQL: lanes of the queue")
struct FleetLaneTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var lane = FleetLane()
    var wanted: [String]?
    let opening: Double?

    init(
      _ name: String, _ opening: Double?, wanting wanted: [String]? = nil,
      _ change: (inout FleetLane) -> Void = { _ in }
    ) {
      (testDescription, self.opening, self.wanted) = (name, opening, wanted)
      change(&lane)
    }
  }

  static let rows = [
    Row("nothing closes it", 100),
    Row("a paused queue", nil) { $0.queue = "paused" },
    Row("a queue closed until later", 300) { $0.queue = "later" },
    Row("another queue", 100) { $0.queue = "free" },
    Row("a closed window", 200) { $0.window = "Mon" },
    Row("an open window", 100) { $0.window = "Tue" },
    Row("a closed window in a queue closed for longer", 300) { ($0.queue, $0.window) = ("later", "Mon") },
    Row("a closed window in a paused queue", nil) { ($0.queue, $0.window) = ("paused", "Mon") },
    Row("the label", 100, wanting: ["north"]) { $0.labels = "gpu north" },
    Row("both labels", 200, wanting: ["north", "gpu"]) { ($0.labels, $0.window) = ("gpu north", "Mon") },
    Row("one of two labels", nil, wanting: ["north", "gpu"]) { $0.labels = "north" },
    Row("no label", nil, wanting: ["north"]),
    Row("a label that begins with it", nil, wanting: ["north"]) { $0.labels = "northern" },
    Row("a label that nobody wants", 100) { $0.labels = "north" },
  ]

  @Test("a lane opens when its queue and its window do, for those who want its labels", arguments: rows)
  func openings(row: Row) throws {
    var later = NamedQueue("later")
    later.settings.between = "00:05-00:06"
    var paused = NamedQueue("paused")
    paused.settings.isPaused = true
    let gates = QueueGates([later, paused], at: 100, zone: .utc)
    let scope = try row.wanted.map { ClaimScope.labelled(try $0.map(JobLabel.parse)) } ?? .all
    #expect(row.lane.opening(scope, gates, closed: ["Mon": 200], now: 100) == row.opening)
  }

  @Test(
    "claims find their jobs whether or not lanes are told apart", .needs(.postgres),
    arguments: [2, FleetLanes.most + 1])
  func many(count: Int) async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    let jobs = try (0..<count).map { number in
      var job = try specification("http://h\(number % 7)/\(number)")
      job.options.labels = [try JobLabel.parse("n=\(number)")]
      if number > 0 { job.queue = "q" }
      return job
    }
    let ids = try await store.add(jobs, marks: [], now: 1, seen: nil).map(\.id)
    _ = try await store.changeQueue("q") { $0.isPaused = true }
    let gates = QueueGates(try await store.queues(), at: 2, zone: .utc)
    let scope = ClaimScope.labelled([try JobLabel.parse("n=1")])
    func due(_ scope: ClaimScope, _ gates: QueueGates) async throws -> Double? {
      try await store.nextDue(
        scope: scope, jobsPerOrigin: JobsPerOrigin(limit: 1), queues: gates, runner: UUID(), now: 2, zone: .utc)
    }
    let runner = UUID()
    func claim(_ scope: ClaimScope, _ gates: QueueGates) async throws -> [JobID] {
      try await store.claim(
        runner: runner, limit: 9, scope: scope, jobsPerOrigin: JobsPerOrigin(limit: 1), queues: gates, now: 2
      ).map(\.id)
    }
    #expect(try await claim(scope, gates) == [])
    #expect(try await due(scope, gates) == nil)
    #expect(try await claim(.all, gates) == [ids[0]])
    #expect(try await due(.all, gates) == nil)
    #expect(try await due(scope, .open) == 2)
    #expect(try await claim(scope, .open) == [ids[1]])
    #expect(
      try await store.pending(scope: scope, runner: runner) == PendingJobs(queued: 0, activeElsewhere: 0, mine: 1))
  }
}
