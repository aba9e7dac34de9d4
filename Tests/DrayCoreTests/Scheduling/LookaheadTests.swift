// How many jobs are claimed ahead: as many as end in a tenth of a second.

import Testing

@testable import DrayCore

@Suite struct LookaheadTests {
  /// Jobs that end after the first claim, the seconds until the next claim, and the number of jobs that it claims
  /// ahead.
  @Test(arguments: [
    (ended: 16, seconds: 0.004, ahead: 256), (16, 0.02, 80), (5, 1, 0), (9, 0.2, 4), (1, 30, 0), (0, 0.1, 0),
    (1, 0, 100),
  ])
  func ahead(ended: Int, seconds: Double, ahead: Int) {
    var lookahead = Lookahead()
    let first = lookahead.count(ended: 0, now: 100)
    let second = lookahead.count(ended: ended, now: 100 + seconds)
    #expect(first == 0)
    #expect(second == ahead)
  }

  @Test func whatEndedLongAgoDoesNotCount() {
    var lookahead = Lookahead()
    _ = lookahead.count(ended: 0, now: 0)
    let busy = lookahead.count(ended: 1000, now: 0.1)
    let idle = lookahead.count(ended: 1, now: 60)
    #expect((busy, idle) == (256, 0))
  }

  @Test("beside other runners, the next claim waits as long as the last one took")
  func pause() {
    #expect(Lookahead.next(after: 10..<10.05) == 10.05 + (10.05 - 10))
    #expect(Lookahead.next(after: 10..<15) == 15 + Lookahead.longestPause)
    #expect(Lookahead.next(after: 10..<10) == 10)
  }
}
