// The set of byte positions, in tables and against a plain set of numbers.

import Foundation
import TestSupport
import Testing

@testable import DrayCore

@Suite struct SegmentSetTests {
  @Test(
    arguments: [
      ("", 0..<0, ""), ("", 5..<5, ""), ("", 3..<9, "3-9"), ("3-9", 9..<12, "3-12"), ("3-9", 0..<3, "0-9"),
      ("3-9", 10..<12, "3-9,10-12"), ("3-9,20-30", 8..<21, "3-30"), ("3-9,20-30", 9..<20, "3-30"),
      ("3-9,20-30", 0..<40, "0-40"), ("3-9,20-30,50-60", 10..<45, "3-9,10-45,50-60"), ("0-9", 2..<4, "0-9"),
      ("", -5..<5, ""), ("0-5000000000", 5_000_000_000..<9_000_000_000, "0-9000000000"),
    ] as [(String, Range<Int64>, String)])
  func segmentsThatTouchBecomeOne(before: String, added: Segment, after: String) throws {
    var set = try #require(SegmentSet(before))
    set.insert(added)
    #expect(set.description == after)
  }

  @Test(
    arguments: [
      ("", "0-9", ""), ("0-9", "0-9", "0-9"), ("0-9", "9-12", ""), ("0-9,20-30", "5-25", "5-9,20-25"),
      ("0-100", "3-9,20-30", "3-9,20-30"), ("0-4,6-10", "2-7,9-12", "2-4,6-7,9-10"),
    ])
  func bytesOfBoth(one: String, other: String, both: String) throws {
    let (one, other) = (try #require(SegmentSet(one)), try #require(SegmentSet(other)))
    #expect(one.intersection(other).description == both)
    #expect(other.intersection(one).description == both)
  }

  @Test(arguments: ["5", "5-", "-5", "5-3", "5-5", "a-b", "0-5;7-9", "-5-3", "0-5-9", "0-99999999999999999999", " 0-5"])
  func otherTextsAreNone(text: String) {
    #expect(SegmentSet(text) == nil)
  }

  @Test func jsonIsTheDescription() throws {
    let set = try #require(SegmentSet("0-5,9-12"))
    let data = try JSONEncoder().encode([set])
    #expect(String(decoding: data, as: UTF8.self) == #"["0-5,9-12"]"#)
    #expect(try JSONDecoder().decode([SegmentSet].self, from: data) == [set])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([SegmentSet].self, from: Data(#"["5-3"]"#.utf8)) }
  }

  /// After each of many insertions, every answer agrees with a set of single positions.
  @Test(arguments: 0..<40)
  func agreesWithAPlainSet(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var set = SegmentSet()
    var plain: Set<Int64> = []
    for _ in 0..<60 {
      let lower = Int64.random(in: 0..<60, using: &random)
      let segment = lower..<lower + Int64.random(in: 0...9, using: &random)
      set.insert(segment)
      plain.formUnion(segment)

      #expect(Set(set.segments.joined()) == plain)
      #expect(set.segments.allSatisfy { !$0.isEmpty })
      #expect(zip(set.segments, set.segments.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      #expect(set.count == Int64(plain.count))
      #expect(set.isEmpty == plain.isEmpty)
      #expect(set.prefix == (0..<100).first { !plain.contains($0) })
      #expect(set.end == (plain.max().map { $0 + 1 } ?? 0))
      #expect(SegmentSet(set.description) == set)

      let size = Int64.random(in: 0...80, using: &random)
      #expect(Set(set.missing(from: size).segments.joined()) == Set(0..<size).subtracting(plain))
      #expect(set.isWhole(size) == (plain == Set(0..<size)))
      let low = Int64.random(in: 0...40, using: &random)
      let bounds = low..<low + Int64.random(in: 0...40, using: &random)
      #expect(Set(set.clamped(to: bounds).segments.joined()) == plain.intersection(bounds))
      #expect(set.contains(segment) && set.contains(bounds) == plain.isSuperset(of: bounds))
      if Bool.random(using: &random) {
        let cut = low..<low + Int64.random(in: 0...12, using: &random)
        set.remove(cut)
        plain.subtract(cut)
        #expect(Set(set.segments.joined()) == plain && set.segments.allSatisfy { !$0.isEmpty })
      }
    }
  }
}
