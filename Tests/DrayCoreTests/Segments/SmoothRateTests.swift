// The rate that people see: right from the start, smooth, and none after a start over.

import Testing

@testable import DrayCore

@Suite struct SmoothRateTests {
  @Test("a steady count has its rate from the second sample on, at any interval", arguments: [0.1, 0.2, 1, 5])
  func steady(interval: Double) {
    var rate = SmoothRate()
    rate.note(500, now: 10)
    #expect(rate.value == nil)
    for step in 1...20 {
      rate.note(500 + Int64(Double(step) * interval * 1000), now: 10 + Double(step) * interval)
      let value = rate.value ?? 0
      #expect(abs(value - 1000) < 10, "\(step)")
    }
  }

  @Test("a change shows within seconds, a stall falls towards 0")
  func change() {
    var rate = SmoothRate()
    for second in 0...10 { rate.note(Int64(second) * 1000, now: Double(second)) }
    var values: [Double] = []
    for second in 11...40 {
      rate.note(10_000, now: Double(second))
      values.append(rate.value ?? -1)
    }
    #expect(values == values.sorted(by: >))
    #expect(values[0] < 1000 && values[3] < 600 && (values.last ?? 9) < 10)
  }

  @Test("a lower count starts again; samples of one moment count in the next step")
  func restart() {
    var rate = SmoothRate()
    rate.note(0, now: 0)
    rate.note(9000, now: 1)
    rate.note(100, now: 2)
    #expect(rate.value == nil)
    rate.note(600, now: 2)
    #expect(rate.value == nil)
    rate.note(2100, now: 3)
    let value = rate.value ?? 0
    #expect(abs(value - 2000) < 1)
  }
}
