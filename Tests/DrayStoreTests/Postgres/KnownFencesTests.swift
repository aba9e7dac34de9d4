// The fences of held jobs, as learnt over one connection.

import Postgres
import Testing

@testable import DrayStore

@Suite struct KnownFencesTests {
  @Test("a search for dead runners begins at the beginning once in a while, whatever was learnt")
  func wholeWalks() {
    let known = KnownFences()
    known.learn(held: [], top: 70_000)
    let whole = FenceFloor().ownedJobs.statement.arguments.values
    let learnt = known.ownedJobs.statement.arguments.values
    #expect(whole != learnt)
    #expect(known.ownedJobs(now: 1000).statement.arguments.values == whole)
    #expect(known.ownedJobs(now: 1001).statement.arguments.values == learnt)
    #expect(known.ownedJobs(now: 2000).statement.arguments.values == whole)
  }

  struct Lesson: Sendable {
    var learnt: Int64?
    var newest: Int64?
    var expected: KnownFences.Lesson
  }

  private static let lessons = [
    Lesson(expected: .attempt),
    Lesson(newest: KnownFences.longest - 1, expected: .attempt),
    Lesson(newest: KnownFences.longest, expected: .required),
    Lesson(learnt: 70_000, expected: .none),
    Lesson(learnt: 70_000, newest: 3, expected: .none),
    Lesson(learnt: 70_000, newest: 70_000 + KnownFences.interval - 1, expected: .none),
    Lesson(learnt: 70_000, newest: 70_000 + KnownFences.interval, expected: .attempt),
    Lesson(learnt: 70_000, newest: 70_000 + KnownFences.longest, expected: .required),
  ]

  @Test("a claim learns where walks begin once many jobs were claimed, and at last waits for that", arguments: lessons)
  func learning(one: Lesson) {
    let known = KnownFences()
    if let learnt = one.learnt { known.learn(held: [], top: learnt) }
    if let newest = one.newest { known.saw([newest, 1]) }
    #expect(known.lesson == one.expected)
  }
}
