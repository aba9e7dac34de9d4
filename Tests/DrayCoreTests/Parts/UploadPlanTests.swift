// The borders of the parts of uploads, by S3's limits.

import DrayCore
import Testing

private let mib: Int64 = 1 << 20

@Suite struct UploadPlanTests {
  /// The length of a file, the size of its parts, and their number.
  @Test(
    arguments: [
      (0, 8 * mib, 1), (1, 8 * mib, 1), (8 * mib, 8 * mib, 1), (8 * mib + 1, 8 * mib, 2), (1024 * mib, 8 * mib, 128),
      (80_000 * mib, 8 * mib, 10_000), (80_000 * mib + 1, 9 * mib, 8889), (1 << 40, 105 * mib, 9987),
      (10_000 * 5 * 1024 * mib, 5 * 1024 * mib, 10_000),
    ] as [(Int64, Int64, Int)])
  func partsOfAKnownLength(_ length: Int64, _ size: Int64, _ count: Int) throws {
    let plan = try #require(UploadPlan(length: length))
    #expect(plan.unit == size && plan.count(of: length) == count)
    #expect(count <= UploadPlan.mostParts && size <= UploadPlan.largest)
    let last = plan.range(of: count, in: length)
    #expect(last.upperBound == length)
    #expect(plan.range(of: 1, in: length).lowerBound == 0)
  }

  @Test func aFileMayBeTooLong() {
    #expect(UploadPlan(length: 10_000 * 5 * 1024 * mib + 1) == nil)
    #expect(UploadPlan(length: .max) == nil)
  }

  @Test func partsOfAnUnknownLengthGrow() {
    let plan = UploadPlan.unknownLength
    #expect(plan.unit == nil)
    #expect(plan.range(of: 1) == 0..<8 * mib)
    #expect(plan.range(of: 1000).upperBound == 8000 * mib)
    #expect(plan.range(of: 1001) == 8000 * mib..<8016 * mib)
    #expect(plan.range(of: 2001).lowerBound == 24_000 * mib)
    #expect(Int64(plan.range(of: 10_000).count) <= UploadPlan.largest)
    #expect(plan.capacity > 5 << 40)
  }

  @Test(arguments: [UploadPlan.unknownLength, UploadPlan(length: 1 << 30)].compactMap(\.self))
  func eachByteIsInOnePart(_ plan: UploadPlan) {
    for number in [1, 2, 3, 999, 1000, 1001, 1999, 2000, 2001, 5000, 9999, 10_000] {
      let range = plan.range(of: number)
      #expect(plan.number(at: range.lowerBound) == number)
      #expect(plan.number(at: range.upperBound - 1) == number)
      #expect(plan.number(at: range.upperBound) == (number < 10_000 ? number + 1 : nil))
    }
    #expect(plan.number(at: -1) == nil && plan.number(at: .max) == nil)
  }
}
