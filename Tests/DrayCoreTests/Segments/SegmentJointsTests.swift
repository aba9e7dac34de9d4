// Joints between connections: the bytes compared and given up (P18).

import Testing

@testable import DrayCore

@Suite struct SegmentJointsTests {
  private static let kib: Int64 = 1 << 10
  private static let mib: Int64 = 1 << 20

  /// The steps of a joint that moves back in a run of `length` bytes.
  @Test(
    arguments: [
      (run: 100, ends: [0]), (run: mib, ends: [0]), (run: mib + 1, ends: [1, 0]),
      (run: 3 * mib, ends: [2 * mib, 0]), (run: 20 * mib, ends: [19 * mib, 12 * mib, 0]),
    ] as [(run: Int64, ends: [Int64])])
  func aJointThatDoesNotHoldMovesBack(run: Int64, ends: [Int64]) {
    let start: Int64 = 5000
    var joints = SegmentJoints()
    joints.doubt(start + run)
    var place = start + run
    for end in ends {
      #expect(joints.isDoubted(place))
      #expect(joints.moveBack(place, in: start..<place) == start + end..<place)
      place = start + end
    }
    // Nothing is left to compare with.
    #expect(!joints.isDoubted(start) && joints.compared(before: start, in: nil).isEmpty)
  }

  @Test func onlyWhatIsInDoubtIsCompared() {
    var joints = SegmentJoints()
    #expect(joints.compared(before: 500_000, in: 0..<500_000).isEmpty)
    joints.doubt(500_000)
    #expect(joints.compared(before: 500_000, in: 0..<500_000) == 500_000 - 64 * Self.kib..<500_000)
    // At most as far as the run of bytes reaches.
    #expect(joints.compared(before: 500_000, in: 499_000..<500_000) == 499_000..<500_000)
    #expect(joints.compared(before: 500_000, in: nil).isEmpty)
    joints.prove(500_000)
    #expect(joints.compared(before: 500_000, in: 0..<500_000).isEmpty)
    #expect(joints.moveBack(500_000, in: 0..<500_000) == nil)
  }

  @Test func aServerThatSendsLittleAtATimeIsAskedToRepeatLess() {
    var joints = SegmentJoints()
    joints.doubt(500_000, after: 80_000)
    joints.doubt(900_000)
    #expect(joints.compared(before: 500_000, in: 0..<500_000) == 490_000..<500_000)
    joints.shorten(500_000, after: 10_000)
    #expect(joints.compared(before: 500_000, in: 0..<500_000) == 498_750..<500_000)
    joints.shorten(500_000, after: 1)
    #expect(joints.compared(before: 500_000, in: 0..<500_000) == 500_000 - Self.kib..<500_000)
    // Other joints are not affected, and a joint that moves back keeps its overlap.
    #expect(joints.compared(before: 900_000, in: 0..<900_000).count == 64 << 10)
    #expect(joints.cutTail(300_000, in: 0..<300_000, isWrong: false, after: 20_000) == 297_500..<300_000)
    #expect(joints.compared(before: 297_500, in: 0..<297_500) == 295_000..<297_500)
  }

  /// The end of a piece whose connection continues: no gap begins there, so earlier bytes are fetched again.
  @Test(
    arguments: [
      (place: 3 * mib, isWrong: false, end: 3 * mib - 64 * kib), (place: 1000, isWrong: false, end: 0),
      (place: 3 * mib, isWrong: true, end: 2 * mib), (place: 1000, isWrong: true, end: 0),
    ] as [(place: Int64, isWrong: Bool, end: Int64)])
  func anUnprovedEndIsFetchedAgain(place: Int64, isWrong: Bool, end: Int64) {
    var joints = SegmentJoints()
    #expect(joints.cutTail(place, in: 0..<place, isWrong: isWrong) == end..<place)
    #expect(joints.isDoubted(end) == (end > 0))
    guard end > 0 else { return }
    // The next step counts from the first joint.
    let first = isWrong ? place : end
    #expect(joints.moveBack(end, in: 0..<end) == max(0, first - (isWrong ? 8 : 1) * Self.mib)..<end)
  }

  /// R38: if several connections that end at a place disagree with the bytes after it, those bytes are wrong.
  @Test func bytesThatSeveralConnectionsContradictAreHopeless() {
    let place = 20 * Self.mib
    var joints = SegmentJoints()
    for lost in [1, 8] as [Int64] {
      #expect(joints.cutTail(place, in: 0..<place, isWrong: true) == place - lost * Self.mib..<place)
      #expect(!joints.isHopeless(place))
    }
    #expect(joints.cutTail(place, in: 0..<place, isWrong: true) == 0..<place)
    #expect(joints.isHopeless(place) && !joints.isHopeless(place + 1))
  }

  /// P13: if each answer is cut and padded, there is no progress.
  @Test func jointsDoNotMoveBackForEver() {
    var joints = SegmentJoints()
    var count = 0
    while joints.mayMoveAgain(reached: 5 * Self.mib), count < 1000 { count += 1 }
    #expect(count == SegmentJoints.patience)
    let mayAfterNewGround = joints.mayMoveAgain(reached: 6 * Self.mib)
    #expect(mayAfterNewGround)
  }

  /// Ten cuts of 1 GiB cost at most a thousandth of it.
  @Test func tenCutsCostLittle() {
    var (joints, more): (SegmentJoints, Int64) = (SegmentJoints(), 0)
    for cut in 1...10 {
      let place = Int64(cut) * 100 * Self.mib
      joints.doubt(place)
      more += Int64(joints.compared(before: place, in: 0..<place).count)
      joints.prove(place)
    }
    #expect(more <= (1 << 30) / 1000)
  }
}
