// Promises of any job store about leases, and about the boards of runners.

import DrayCore
import DrayStore
import Foundation
import Testing

extension ContractCheck {
  static let liveness = [
    ContractCheck("P9 a runner lives as long as its lease, and all processes see its end at once") { stores in
      let (first, second) = (try await stores.one.acquireLease(), try await stores.other.acquireLease())
      let unknown = UUID()
      let all: Set = [first.runner, second.runner, unknown]
      for store in [stores.one, stores.other] {
        let (living, dead) = (try await store.livingRunners(), try await store.deadRunners(among: all))
        #expect(living == [first.runner, second.runner] && dead == [unknown])
      }
      await first.release()
      await first.release()
      for store in [stores.one, stores.other] {
        let (living, dead) = (try await store.livingRunners(), try await store.deadRunners(among: all))
        #expect(living == [second.runner] && dead == [first.runner, unknown])
      }
      try await stores.one.forgetDeadRunners()
      let living = try await stores.other.livingRunners()
      #expect(living == [second.runner])
      await second.release()
    },
    ContractCheck("P9 a lease ends with its last reference") { stores in
      var lease: (any RunnerLease)? = try await stores.one.acquireLease()
      let runner = try #require(lease?.runner)
      let living = try await stores.other.livingRunners()
      #expect(living == [runner])
      lease = nil
      let dead = try await stores.other.deadRunners(among: [runner])
      #expect(dead == [runner])
    },
    ContractCheck("a lease ends with its work, whether or not the work fails") { stores in
      let runner = try await stores.one.withLease { lease async throws(Failure) in
        let living = try await stores.other.livingRunners()
        #expect(living == [lease.runner])
        return lease.runner
      }
      await #expect(throws: Failure.self) {
        try await stores.one.withLease { _ async throws(Failure) in throw Failure(.other, "it", "failed") }
      }
      let (living, dead) = (try await stores.other.livingRunners(), try await stores.other.deadRunners(among: [runner]))
      #expect(living.isEmpty && dead == [runner])
    },
    ContractCheck("other processes see a runner's latest board, until the runner ends") { stores in
      let lease = try await stores.one.acquireLease()
      let id = try await stores.one.held("a", by: lease.runner)
      let nothing = try await stores.other.board(of: lease.runner)
      #expect(nothing == nil)
      for received in [1000, 20] as [Int64] {
        let entry = ProgressEntry(job: id, received: received, size: nil, rate: 5, phase: .receiving)
        try await lease.show(RunnerBoard(entries: [entry]))
        let (board, progress) = (try await stores.other.board(of: lease.runner), try await stores.other.progress())
        #expect(board == RunnerBoard(entries: [entry]) && progress == [id: entry])
      }
      let besides = try await stores.other.progress(besides: lease.runner)
      #expect(besides.isEmpty)
      await lease.release()
      let gone = try await stores.other.board(of: lease.runner)
      #expect(gone == nil)
    },
  ]
}
