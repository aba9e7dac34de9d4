// The marks of shares, and claims that leave the jobs of a share to other machines.

import DrayCore
import DrayStore
import Foundation
import PostgresServer
import StoreTesting
import TestSupport
import Testing

@Suite("PostgreSQL: shares", .needs(.postgres), .serialized)
struct FleetShareTests {
  @Test("of two machines that give a share its mark, the first one's is known")
  func marks() async throws {
    let database = try FleetDatabase()
    let (one, other) = (try database.open(), try database.open())
    #expect(try await one.shares() == [:])
    async let first = one.enter(share: "/mnt/a b", mark: "X")
    async let second = other.enter(share: "/mnt/a b", mark: "Y")
    let marks = try await [first, second]
    #expect(marks[0] == marks[1])
    #expect(try await other.enter(share: "/data", mark: "Z") == "Z")
    #expect(try await one.shares() == ["/mnt/a b": marks[0], "/data": "Z"])
  }

  @Test("a claim leaves the jobs of some directories to others, with limits and without, in any scope")
  func claims() async throws {
    let database = try FleetDatabase()
    let store = try database.open()
    // More than one walk along the queue sees.
    var all = try (0..<600).map { try specification("http://h/\($0)", directory: "/share/d") }
    for (number, directory) in ["/share", "/shared", "/data/share", "/home"].enumerated() {
      all.append(try specification("http://o/\(number)", directory: directory))
    }
    all[603].options.partDirectory = "/share/parts"
    let ids = try await store.add(all, marks: [], now: 1, seen: nil).map(\.id)
    let free = Array(ids[601...602])
    var gates = QueueGates.open
    gates.places = ["/share", "/none/"]
    let scopes = [ClaimScope.all, .only(try await store.registerScope(Array(ids[500...])))]
    for limits in [JobsPerOrigin.unlimited, JobsPerOrigin(limit: 8)] {
      for scope in scopes {
        let runner = UUID()
        let claimed = try await store.claim(
          runner: runner, limit: 9, scope: scope, jobsPerOrigin: limits, queues: gates, now: 2)
        #expect(claimed.map(\.id) == free)
        #expect(
          try await store.claim(runner: runner, limit: 9, scope: scope, jobsPerOrigin: limits, queues: gates, now: 2)
            .isEmpty)
        #expect(try await !store.mayGoOn(scope: scope, queues: gates, now: 2))
        #expect(try await store.giveBack(claimed.map(\.id), runner: runner).isEmpty)
        #expect(try await store.mayGoOn(scope: scope, queues: gates, now: 2))
        #expect(try await store.jobs(ids: free).allSatisfy { $0.attempts == 0 && $0.state == .queued })
      }
    }
    gates.places = ["/"]
    #expect(
      try await store.claim(
        runner: UUID(), limit: 9, scope: .all, jobsPerOrigin: .unlimited, queues: gates, now: 2
      ).isEmpty)
    #expect(try await store.claim(UUID(), limit: 1).map(\.id) == [ids[0]])
  }
}
