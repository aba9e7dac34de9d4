// Promises of any job store about new jobs: names, states, places.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  private static func add(
    _ store: any JobStoring, _ paths: [String], _ entrance: Entrance
  ) async throws -> [AddedJob] {
    try await store.add(
      try paths.map { try specification("http://h/\($0)") }, marks: [], now: 1, seen: nil, entering: entrance)
  }

  private static func waiting(_ store: any JobStoring) async throws -> [JobID] {
    try await store.summaries(after: 0, states: [.queued, .paused], limit: 99)
      .sorted { ($1.priority, $0.rank) < ($0.priority, $1.rank) }.map(\.id)
  }

  static let entering = [
    ContractCheck("the same UUID given twice is one job, whatever its state") { stores in
      let uuid = UUID()
      let first = try await add(stores.one, ["a", "b"], Entrance(uuids: [1: uuid]))
      #expect(first[1].uuid == uuid && !first[1].existing)
      let again = try await add(stores.other, ["b"], Entrance(uuids: [0: uuid]))
      #expect(again == [AddedJob(id: first[1].id, uuid: uuid, existing: true)])
      let held = try await stores.one.held("c", by: UUID())
      let other = try #require(try await stores.one.job(held)).uuid
      let known = try await add(stores.other, ["d"], Entrance(uuids: [0: other]))
      #expect(known == [AddedJob(id: held, uuid: other, existing: true)])
      #expect(try await stores.other.newestID() == held)
    },
    ContractCheck("jobs added as paused are paused from the start") { stores in
      let added = try await add(stores.one, ["a", "b"], Entrance(paused: [0]))
      #expect(try await stores.other.state(of: added[0].id) == .paused)
      #expect(try await stores.other.claim(UUID()).map(\.id) == [added[1].id])
      _ = try await stores.other.resume([added[0].id])
      #expect(try await stores.one.state(of: added[0].id) == .queued)
    },
    ContractCheck("jobs are added at a place in the queue, in their order") { stores in
      let old = try await add(stores.one, ["a", "b"], Entrance()).map(\.id)
      let first = try await add(stores.other, ["c", "d"], Entrance(place: .first)).map(\.id)
      let middle = try await add(stores.one, ["e", "f"], Entrance(paused: [1], place: .before(old[1]))).map(\.id)
      #expect(try await waiting(stores.other) == first + [old[0]] + middle + [old[1]])
      // The existing job keeps its place.
      _ = try await add(stores.one, ["b"], Entrance(place: .first))
      #expect(try await waiting(stores.other).last == old[1])
    },
    ContractCheck("a place next to a job that no longer waits is the first place") { stores in
      let old = try await add(stores.one, ["a", "b"], Entrance()).map(\.id)
      let claimed = try await stores.one.claim(UUID(), limit: 1).map(\.id)
      #expect(claimed == [old[0]])
      let new = try await add(stores.other, ["c"], Entrance(place: .before(old[0]))).map(\.id)
      #expect(try await waiting(stores.other) == new + [old[1]])
    },
  ]
}
