// The fences of held jobs, as learnt over one connection.

import Postgres
import Testing

@testable import DrayStore

@Suite struct KnownFencesTests {
  @Test("a search for dead runners begins at the beginning once in a while, whatever was learnt")
  func wholeWalks() {
    let known = KnownFences()
    known.floor = FenceFloor(held: [], top: 70_000)
    let whole = FenceFloor().ownedJobs.statement.arguments.values
    let learnt = known.ownedJobs.statement.arguments.values
    #expect(whole != learnt)
    #expect(known.ownedJobs(now: 1000).statement.arguments.values == whole)
    #expect(known.ownedJobs(now: 1001).statement.arguments.values == learnt)
    #expect(known.ownedJobs(now: 2000).statement.arguments.values == whole)
  }
}
