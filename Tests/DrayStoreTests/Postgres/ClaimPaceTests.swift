// The rule for where a claim begins its walk along the queue.

import Testing

@testable import DrayStore

@Suite struct ClaimPaceTests {
  private let first = QueuePoint(priority: 0, place: 5, id: 5)
  private let second = QueuePoint(priority: 0, place: 9, id: 9)

  @Test func looksFromTheBeginningWhileThatIsQuick() {
    var pace = ClaimPace()
    #expect(pace.start(now: 0) == nil)
    pace.record(from: nil, to: first, claims: ClaimPace.few, seconds: ClaimPace.slow, ended: 1)
    #expect(pace.start(now: 1.0001) == nil)
  }

  @Test func looksFromTheLastHeadWhileWholeLooksAreSlow() {
    var pace = ClaimPace()
    // With so few claims, there are no dead rows: the machine is just slow.
    pace.record(from: nil, to: first, claims: ClaimPace.few - 1, seconds: 0.5, ended: 0.5)
    #expect(pace.start(now: 0.6) == nil)
    pace.record(from: nil, to: first, claims: ClaimPace.few, seconds: 0.5, ended: 0.5)
    #expect(pace.start(now: 1) == first)
    pace.record(from: first, to: second, claims: ClaimPace.few, seconds: 0.001, ended: 1.001)
    #expect(pace.start(now: 2) == second)
    // A share of the time may be spent on looks from the beginning.
    #expect(pace.start(now: 0.5 + 0.5 * ClaimPace.share) == nil)
  }

  @Test func looksFromTheBeginningOnceAJobIsKnownToBeThere() {
    var pace = ClaimPace()
    pace.record(from: nil, to: second, claims: ClaimPace.few, seconds: 0.5, ended: 1)
    #expect(pace.start(now: 1.1) == second)
    pace.jobIsBeforeHead()
    #expect(pace.start(now: 1.1) == nil)
    pace.record(from: nil, to: first, claims: nil, seconds: 0.5, ended: 2)
    #expect(pace.start(now: 2.1) == first)
  }

  @Test func looksAgainSoonerIfNothingIsLeft() {
    var pace = ClaimPace()
    pace.record(from: nil, to: first, claims: ClaimPace.few, seconds: 0.5, ended: 1)
    pace.record(from: first, to: nil, claims: nil, seconds: 0.001, ended: 1.5)
    #expect(pace.start(now: 1.6) == first)
    #expect(!pace.looksAgain(now: 1.6))
    #expect(pace.looksAgain(now: 1 + 0.5 * ClaimPace.shareWhenEmpty))
    // An empty queue has no head, and its claims are not forgotten.
    pace.record(from: nil, to: nil, claims: nil, seconds: 0.5, ended: 4)
    #expect(pace.start(now: 4.1) == nil)
    pace.record(from: nil, to: second, claims: nil, seconds: 0.5, ended: 5)
    #expect(pace.start(now: 5.1) == second)
  }
}
