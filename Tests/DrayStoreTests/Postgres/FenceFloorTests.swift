// The rule for walks over the held jobs.

import Testing

@testable import DrayStore

@Suite struct FenceFloorTests {
  struct Case: Sendable {
    var name: String
    var held: [Int64]
    var top: Int64
    var bound: Int64
    var old: [Int64] = []
  }

  private static let some = FenceFloor.lookup
  private static let many = (1...Int64(FenceFloor.most) + 9).map { 1000 * $0 }

  private static let cases = [
    Case(name: "nothing was ever claimed", held: [], top: 1, bound: 1),
    Case(name: "no job is held", held: [], top: 70_000, bound: 70_000),
    Case(name: "all jobs are new", held: [69_998, 70_000, 69_999], top: 70_000, bound: 69_998),
    Case(name: "a few ended jobs cost less than a lookup", held: [101, 100 + some], top: 100 + some, bound: 101),
    Case(name: "one job is held for long", held: [5, 69_999, 70_000], top: 70_000, bound: 69_999, old: [5]),
    Case(name: "only such jobs are held", held: [5, 7_000], top: 70_000, bound: 70_000, old: [5, 7_000]),
    Case(
      name: "more are held for long than are looked up", held: many, top: 1_000_000,
      bound: 1000 * (Int64(FenceFloor.most) + 1), old: Array(many[..<FenceFloor.most])),
  ]

  @Test("held jobs are walked from a fence on, and few are looked up", arguments: cases)
  func bounds(one: Case) {
    let floor = FenceFloor(held: one.held, top: one.top)
    #expect(floor.bound == one.bound, "\(one.name)")
    #expect(floor.old == one.old, "\(one.name)")
    // None is lost.
    #expect(one.held.allSatisfy { $0 >= floor.bound || floor.old.contains($0) }, "\(one.name)")
  }

  @Test("before the first walk, every fence may be held") func beginning() {
    #expect(FenceFloor().bound == 0 && FenceFloor().old.isEmpty)
  }
}
