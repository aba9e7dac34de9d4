// Which found bytes are kept, and which are fetched together with missing ones.

import Testing

@testable import DrayCore

@Suite struct SeedRuleTests {
  @Test(
    "what a round trip is worth",
    arguments: [
      (nil, nil, 64 << 10), (0.1, nil, 64 << 10), (nil, 1e6, 64 << 10), (0, 1e6, 0), (0.01, 1e6, 10_000),
      (0.2, 1e9, 256 << 10), (0.1, 0, 64 << 10), (.infinity, 1e6, 64 << 10), (-1, 1e6, 64 << 10),
    ] as [(Double?, Double?, Int64)])
  func gaps(_ roundTrip: Double?, _ rate: Double?, _ bytes: Int64) {
    #expect(SeedRule.gap(roundTrip: roundTrip, rate: rate) == bytes)
  }

  private static let size: Int64 = 1000

  @Test(
    "short runs between missing bytes are given up",
    arguments: [
      ([], 10, 9, ""),
      ([0..<1000], 10, 9, "0-1000"),
      // At the ends of the file nothing is gained.
      ([0..<5, 20..<25, 40..<60, 995..<1000], 10, 9, "0-5,40-60,995-1000"),
      ([100..<110], 10, 9, ""), ([100..<111], 10, 9, "100-111"), ([100..<101], 0, 9, "100-101"),
      // Too many runs: the shortest go first.
      ([0..<5, 100..<120, 200..<240, 300..<380, 995..<1000], 10, 3, "0-5,300-380,995-1000"),
      ([0..<5, 100..<120, 200..<240, 300..<380, 995..<1000], 10, 2, "0-5,995-1000"),
    ] as [([Segment], Int64, Int, String)])
  func kept(_ found: [Segment], _ gap: Int64, _ most: Int, _ kept: String) {
    #expect(SeedRule.kept(found, gap: gap, of: Self.size, most: most).description == kept)
  }
}
