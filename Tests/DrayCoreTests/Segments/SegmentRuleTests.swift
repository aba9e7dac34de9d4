// Which files are divided among connections, which bytes prove a mirror, how files share an origin: in tables.

import DrayCore
import Testing

@Suite struct SegmentRuleTests {
  @Test(
    arguments: [
      (200, [], 10 << 20, 8, true, true), (206, [], 10 << 20, 8, true, true),
      (200, ["Accept-Ranges: bytes"], 10 << 20, 2, true, true),
      (200, ["Accept-Ranges: none"], 10 << 20, 8, true, false),
      (206, ["Accept-Ranges: none"], 10 << 20, 8, true, true), (200, [], 10 << 20, 1, true, false),
      (200, [], 1 << 20, 8, true, false), (200, [], (1 << 20) + 1, 8, true, true), (200, [], 10 << 20, 8, false, false),
      (200, ["Content-Encoding: gzip"], 10 << 20, 8, true, false), (404, [], 10 << 20, 8, true, false),
    ] as [(Int, [String], Int64, Int, Bool, Bool)])
  func moreConnectionsMayHelp(
    status: Int, lines: [String], missing: Int64, connections: Int, isIdentified: Bool, expected: Bool
  ) {
    let may = SegmentRule.mayHelp(
      ResponseHead(status, lines), missing: missing, connections: connections, isIdentified: isIdentified)
    #expect(may == expected)
  }

  @Test(arguments: [
    ("0-1048575", 0), ("0-1048576", 3), ("0-500000,600000-1200000", 3), ("0-10,100-2000000", 3),
    // Many bytes, but nowhere enough in a row.
    ("0-60000,70000-130000,140000-200000,300000-365000,400000-1300000", 3),
  ])
  func samplesAreOfWhatIsHere(text: String, count: Int) throws {
    let written = try #require(SegmentSet(text))
    let samples = MirrorSample.segments(of: written)
    #expect(samples.count == count)
    for sample in samples {
      #expect(sample.count == MirrorSample.length)
      #expect(written.contains(sample))
    }
    #expect(Set(samples.map(\.lowerBound)).count == count)
  }

  @Test(arguments: [
    // Alone: the full number; with one connection of another file, one less; never less than one.
    (8, 1, 1, 8, 1, 8), (8, 7, 8, 8, 1, 7), (8, 1, 9, 8, 2, 4), (8, 8, 9, 8, 2, 7), (8, 4, 8, 8, 2, 4),
    (4, 1, 100, 4, 9, 1), (1, 1, 1, 1, 1, 1),
    // If the origin serves several files: the remaining connections, or an even share.
    (16, 1, 1, 32, 1, 16), (16, 1, 17, 32, 2, 16), (16, 1, 32, 32, 3, 10), (16, 10, 22, 32, 3, 16),
    (16, 1, 40, 32, 40, 1),
  ])
  func filesShareAnOrigin(wanted: Int, mine: Int, all: Int, limit: Int, files: Int, expected: Int) {
    #expect(ConnectionShare.room(wanted: wanted, mine: mine, all: all, limit: limit, files: files) == expected)
  }
}
