// Bytes of a body that arrive after they were handed to the system.

import Testing

@testable import DrayEngine

@Suite struct ArrivalCounterTests {
  /// The bytes on their way at each look, and those that have arrived since the look before.
  @Test func arrivals() {
    var counter = ArrivalCounter()
    let looks: [(left: Int?, arrived: Int)] = [
      (0, 0), (100, 0), (300, 0), (250, 50), (250, 0), (nil, 0), (10, 240), (0, 10), (5, 0),
    ]
    for look in looks { #expect(counter.arrived(leaving: look.left) == look.arrived) }
  }
}
