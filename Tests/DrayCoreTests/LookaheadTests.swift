// How many jobs are claimed ahead: as many as end in a tenth of a second.

import Testing

@testable import DrayCore

@Suite struct LookaheadTests {
  /// Jobs that end after the first claim, the seconds until the next one, and how many that claims ahead.
  @Test(arguments: [
    (ended: 16, seconds: 0.004, ahead: 256), (16, 0.02, 80), (5, 1, 0), (9, 0.2, 4), (1, 30, 0), (0, 0.1, 0),
    (1, 0, 100),
  ])
  func ahead(ended: Int, seconds: Double, ahead: Int) {
    var lookahead = Lookahead()
    let first = lookahead.count(now: 100)
    for _ in 0..<ended { lookahead.noteEnd() }
    let second = lookahead.count(now: 100 + seconds)
    #expect(first == 0)
    #expect(second == ahead)
  }

  @Test func whatEndedLongAgoDoesNotCount() {
    var lookahead = Lookahead()
    _ = lookahead.count(now: 0)
    for _ in 0..<1000 { lookahead.noteEnd() }
    let busy = lookahead.count(now: 0.1)
    lookahead.noteEnd()
    let idle = lookahead.count(now: 60)
    #expect((busy, idle) == (256, 0))
  }
}
