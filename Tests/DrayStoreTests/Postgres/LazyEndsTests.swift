// The completions that a crash of the server may undo: when they are known to be on disk.

import DrayCore
import StoreTesting
import Testing

import struct Foundation.UUID

@testable import DrayStore

@Suite("PostgreSQL: completions that wait for no disk")
struct LazyEndsTests {
  private let one = UUID()
  private let other = UUID()

  private func batch(_ id: JobID, _ runner: UUID, connection: Int = 0) -> LazyEnds.Batch {
    LazyEnds.Batch(runner: runner, jobs: [(.sample(id), 7)], now: 1, connection: connection)
  }

  private func jobs(_ ends: LazyEnds, _ runner: UUID) -> [JobID] {
    ends.batches(of: runner).flatMap { $0.jobs.map(\.job.id) }
  }

  @Test("a later commit on the same connection confirms all runners' completions before it, and no others")
  func confirmed() {
    let ends = LazyEnds()
    ends.add(batch(1, one))
    ends.add(batch(2, other))
    let newest = ends.newest
    ends.add(batch(3, one))
    // A commit over a new connection proves nothing about earlier commits.
    ends.confirm(upTo: newest, on: 1)
    #expect(jobs(ends, one) == [1, 3] && jobs(ends, other) == [2])
    ends.confirm(upTo: newest, on: 0)
    #expect(jobs(ends, one) == [3] && jobs(ends, other) == [])
  }

  @Test("what was recorded again is forgotten for its runner only, and nothing that came since")
  func forgotten() {
    let ends = LazyEnds()
    ends.add(batch(1, one))
    ends.add(batch(2, other))
    let newest = ends.newest
    ends.add(batch(3, one, connection: 1))
    ends.forget(upTo: newest, of: one)
    #expect(jobs(ends, one) == [3] && jobs(ends, other) == [2])
    // A transaction that completed nothing is not remembered.
    ends.add(LazyEnds.Batch(runner: one, jobs: [], now: 1, connection: 1))
    #expect(ends.batches(of: one).count == 1)
  }
}
