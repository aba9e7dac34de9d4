// Bytes, rates and times as texts.

import Testing

@testable import TerminalUI

@Suite struct QuantityTextTests {
  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (12_897_484, "12.2 MiB"), (300 << 20, "300 MiB"),
      ((1 << 30) - 1, "1023 MiB"), (1 << 40, "1.0 TiB"), (.max, "7.9 EiB"), (-1, "0 B"),
    ] as [(Int64, String)])
  func sizesRoundDown(bytes: Int64, expected: String) {
    #expect(ByteText.size(bytes) == expected)
  }

  @Test(
    arguments: [
      (0, 300 << 20, "0.0/300 MiB"), (12_897_484, 300 << 20, "12.2/300 MiB"), (5, 10, "5/10 B"),
      (2 << 30, 300 << 20, "2.0/0.2 GiB"), (0, 0, "0/0 B"),
    ] as [(Int64, Int64, String)])
  func pairsShareTheLargerUnit(received: Int64, size: Int64, expected: String) {
    #expect(ByteText.pair(received, of: size) == expected)
  }

  @Test func sizesStayWithinTheirColumns() {
    var bytes: Int64 = 1
    while bytes < .max / 3 {
      for value in [bytes - 1, bytes, bytes + 1] {
        #expect(DisplayWidth.of(ByteText.size(value)) <= 8)
        #expect(DisplayWidth.of(ByteText.compact(value)) <= 5)
        #expect(DisplayWidth.of(ByteText.pair(value, of: value)) <= 13)
        #expect(DisplayWidth.of(ByteText.rate(Double(value))) <= 10)
      }
      bytes *= 2
    }
  }

  @Test(arguments: [
    (Double.nan, "0 B/s"), (-1, "0 B/s"), (.infinity, "2.0 EiB/s"), (11_744_052, "11.2 MiB/s"),
  ])
  func ratesOfAnyKind(rate: Double, expected: String) {
    #expect(ByteText.rate(rate) == expected)
  }

  @Test(
    arguments: [
      (0, "1 s"), (0.2, "1 s"), (9, "9 s"), (30, "30 s"), (31, "35 s"), (56, "1:00"), (61, "1:05"),
      (599, "10:00"),
      (601, "11 min"), (3599, "60 min"), (3600, "1 h 00"), (7260, "2 h 05"), (35_999, "10 h 00"),
      (36_001, "11 h"),
      (172_800, "2 d"), (99 * 86_400, "99 d"), (.infinity, "999 d"), (.nan, "1 s"), (-4, "1 s"),
    ] as [(Double, String)])
  func timeLeftIsCoarserTheLongerItIs(seconds: Double, expected: String) {
    #expect(TimeText.remaining(seconds) == expected)
  }

  @Test(arguments: [(0, "0 s"), (25.2, "26 s"), (64, "1:04"), (7500, "2 h 05")] as [(Double, String)])
  func timePassed(seconds: Double, expected: String) {
    #expect(TimeText.elapsed(seconds) == expected)
  }

  @Test(
    "a short delay is in milliseconds",
    arguments: [(0.2, "200 ms"), (0.05, "50 ms"), (0.9999, "1 s"), (0, "0 ms"), (7.2, "8 s")])
  func delays(_ seconds: Double, _ expected: String) { #expect(TimeText.delay(seconds) == expected) }

  @Test func aSteadyCountdownSeldomChangesItsText() {
    let texts = stride(from: 600.0, to: 60, by: -0.1).map(TimeText.remaining)
    let changes = zip(texts, texts.dropFirst()).count { $0 != $1 }
    #expect(changes <= 540 / 5 + 1)
    #expect(texts.allSatisfy { DisplayWidth.of($0) <= 6 })
  }
}
