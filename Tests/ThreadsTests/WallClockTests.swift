// Following another machine's clock.

import Testing

@testable import Threads

@Suite("the clock that machines share")
struct WallClockTests {
  @Test(
    "a reading changes what is known of a clock only as far as its round trip proves",
    arguments: [
      // known lead, reading, sent, received: the lead then
      (100, 1100, 1000, 1000.1, 100),  // fits exactly
      (100, 1100.05, 1000, 1000.1, 100),  // fits
      (100, 1105, 1000, 1010, 100),  // a slow answer says nothing
      (100, 1102, 1000, 1000.5, 101.5),  // ahead: at least so much
      (100, 1098, 1000, 1000.5, 98),  // behind: at most so much
      (100, 4700, 1000, 1001, 3699),  // set forward
      (100, -2500, 1000, 1001, -3500),  // set back
      (101.5, 1102.25, 1000, 1000.25, 102),  // a quicker answer proves more
    ] as [(Double, Double, Double, Double, Double)])
  func readings(known: Double, time: Double, sent: Double, received: Double, then: Double) {
    #expect(abs(WallClock.lead(known, reading: time, sent: sent, received: received) - then) < 1e-9)
  }

  @Test("the clock of the same machine is followed without a step")
  func sameMachine() {
    let before = WallClock.machine()
    let sent = WallClock.bootClock()
    WallClock.follow(WallClock.machine(), askedAt: sent)
    let now = WallClock.now()
    #expect(now >= before - 0.001 && now <= WallClock.machine() + 0.001)
  }
}
