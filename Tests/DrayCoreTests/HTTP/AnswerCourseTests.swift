// A decision from a complete head stands, however its body ends: every decision with every end of the body.

import DrayCore
import Testing

@Suite struct AnswerCourseTests {
  /// The decision from a head.
  enum Decision: Equatable, CaseIterable {
    case redirect, unauthorized, missing, unavailable, upToDate, complete, again
    /// The body is used: nothing is decided yet.
    case body
  }

  /// The fate of the body.
  enum Fate: CaseIterable {
    case ends, stalls, isCut, breaksItsFraming, goesOnForEver, drips, isTooLong
  }

  /// The ending of an answer whose head decided nothing.
  enum End: Equatable {
    case decided(Decision)
    case failed(Fate)
    case whole
  }

  /// A short driver: a useful body runs to its end, or fails.
  private func run(_ decision: Decision, _ fate: Fate) -> (end: End, bytes: Int, seconds: Double, isCut: Bool) {
    var course = AnswerCourse<End>()
    let length: Int64? = fate == .isTooLong ? 1 << 40 : nil
    if decision == .body { course.usesBody() } else { course.decide(.decided(decision), now: 100, length: length) }
    var (bytes, now, error) = (0, 100.0, Fate?.none)
    while course.goesOn, error == nil {
      // Acts like the loop: time passes, bytes arrive, the network reports errors.
      now += 0.01
      if course.hasWaited(until: now) { break }
      switch fate {
      case .ends: return (course.decision ?? .whole, bytes, now - 100, false)
      case .isCut, .breaksItsFraming: error = fate
      case .stalls: if now > 130 { course.cut(.failed(.stalls)) }
      case .goesOnForEver, .isTooLong, .drips:
        let count = fate == .drips ? 1 : 16 << 10
        if course.isOpen {
          bytes += count
          if now > 130 { course.cut(.failed(fate)) }
        } else if course.passOver(count) {
          bytes += count
        }
      }
    }
    // Late failures and decisions do not change the first decision.
    course.cut(.failed(fate))
    course.decide(.failed(fate), now: now)
    course.usesBody()
    return (course.decision ?? .whole, bytes, now - 100, !course.goesOn)
  }

  @Test(arguments: Decision.allCases, Fate.allCases)
  func whatAHeadDecidedStands(_ decision: Decision, _ fate: Fate) {
    let result = run(decision, fate)
    guard decision != .body else {
      #expect(result.end == (fate == .ends ? .whole : .failed(fate)))
      return
    }
    #expect(result.end == .decided(decision))
    #expect(result.bytes <= 64 << 10)
    #expect(result.seconds <= 0.3)
    if fate == .isTooLong { #expect(result.bytes == 0 && result.isCut) }
  }

  @Test func nothingEndsWithoutADecision() {
    var course = AnswerCourse<Int>()
    for isHere in [false, true] {
      if isHere { course.usesBody() }
      let (mayPass, hasWaited) = (course.passOver(1), course.hasWaited(until: .infinity))
      #expect(!mayPass && !hasWaited)
      #expect(course.goesOn && course.isOpen && course.isAwaited == !isHere)
    }
    course.cut(1)
    #expect(!course.goesOn && course.decision == 1)
  }

  /// libcurl answered the challenge: the next answer begins.
  @Test func anotherAnswerTakesItsPlace() {
    var course = AnswerCourse<Int>()
    course.decide(401, now: 0, patience: 30)
    course.supersede()
    #expect(course.isAwaited && course.decision == nil)
    course.decide(404, now: 1)
    let hasWaited = course.hasWaited(until: 1.3)
    #expect(hasWaited && course.decision == 404)
  }

  /// The body of a challenge that will be answered may be long.
  @Test func aChallengeMayTakeItsTime() {
    var course = AnswerCourse<Int>()
    course.decide(401, now: 0, length: 1 << 20, patience: 30)
    let early = course.hasWaited(until: 29)
    #expect(!early && course.goesOn)
    let late = course.hasWaited(until: 30)
    #expect(late && course.decision == 401)
  }
}
