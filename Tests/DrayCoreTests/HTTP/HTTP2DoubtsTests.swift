// The time for which an origin gets HTTP/1.1 after its HTTP/2 failed.

import DrayCore
import Testing

@Suite struct HTTP2DoubtsTests {
  @Test(arguments: [(0.0, true), (599, true), (600, false), (-599, true), (-1000, false)])
  func span(later: Double, holds: Bool) {
    var doubts = HTTP2Doubts()
    doubts.note("https://h:443", now: 5000)
    #expect(doubts.holds(for: "https://h:443", now: 5000 + later) == holds)
    #expect(!doubts.holds(for: "https://other:443", now: 5000))
  }

  @Test func oneMoreFailureLastsAnew() {
    var doubts = HTTP2Doubts()
    doubts.note("a", now: 0)
    doubts.note("a", now: 500)
    #expect(doubts.holds(for: "a", now: 1000))
  }

  @Test func itIsBounded() {
    var doubts = HTTP2Doubts()
    for index in 0..<5000 { doubts.note("\(index)", now: 0) }
    #expect((0..<5000).count { doubts.holds(for: "\($0)", now: 0) } == 1000)
    doubts.note("late", now: 700)
    #expect(doubts.holds(for: "late", now: 700))
  }
}
