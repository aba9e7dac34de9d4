// Where a partial file has data: long runs of zeros were never written.

import Testing

@testable import DrayCore

@Suite struct DataScanTests {
  /// The extents found in a file of `size` bytes, zero except in `data`, read in steps of `step` bytes.
  private func found(_ data: [Segment], size: Int64, step: Int, from begin: Int64 = 0) -> [Segment] {
    var bytes = [UInt8](repeating: 0, count: Int(size))
    for segment in data { for place in segment { bytes[Int(place)] = 7 } }
    var scan = DataScan()
    var position = Int(begin)
    while position < bytes.count {
      let end = min(position + step, bytes.count)
      bytes[position..<end].withUnsafeBytes { scan.take($0, at: Int64(position)) }
      position = end
    }
    return scan.found
  }

  @Test(
    arguments: [
      ([], []), ([0..<1], [0..<1]), ([0..<300_000], [0..<300_000]), ([299_999..<300_000], [299_999..<300_000]),
      // The last nonzero byte ends a stretch, wherever it is.
      ([0..<100_001], [0..<100_001]), ([0..<4097], [0..<4097]),
      // A few zeros are data; more were never written.
      ([0..<10_000, 42_768..<60_000], [0..<60_000]),
      ([0..<10_000, 42_769..<60_000], [0..<10_000, 42_769..<60_000]),
      ([100..<200], [0..<200]), ([32_768..<50_000], [0..<50_000]),
      ([32_769..<50_000], [32_769..<50_000]),
      ([5..<6, 150_003..<150_004, 290_000..<290_001], [0..<6, 150_003..<150_004, 290_000..<290_001]),
    ] as [([Segment], [Segment])])
  func stretches(data: [Segment], expected: [Segment]) {
    for step in [1 << 20, 4096, 4096 * 3 + 5, 65_536, 1 << 10] {
      #expect(found(data, size: 300_000, step: step) == expected, "\(step)")
    }
  }

  @Test func whatDoesNotBeginAtTheBeginningBeginsWithAByte() {
    #expect(found([9000..<9100], size: 20_000, step: 4096, from: 8192) == [9000..<9100])
  }

  @Test func whatLiesBetweenTwoPiecesIsNotOfTheFile() {
    var scan = DataScan()
    [UInt8](repeating: 1, count: 10).withUnsafeBytes {
      scan.take($0, at: 0)
      scan.take($0, at: 20)
      scan.take($0, at: 30)
    }
    #expect(scan.found == [0..<10, 20..<40])
  }
}
