// The consequences of one connection's end for the others, as a table (R38).

import DrayCore
import Testing

@Suite struct SegmentEndTests {
  private static let url = "http://h/f"
  private static let gone = Failure(.status, url, "403 Forbidden", httpStatus: 403, recovery: .keep)
  private static let busy = Failure(.status, url, "503 Busy", httpStatus: 503, recovery: .retry)
  private static let other = StartOver.changed("ETag was \"v1\" and is \"v2\"")

  private typealias Connection = SegmentEnd.Connection

  private static func connection(_ change: (inout Connection) -> Void = { _ in }) -> Connection {
    var connection = Connection()
    change(&connection)
    return connection
  }

  /// No answer of the file's own server to an additional connection ends the others.
  @Test(
    arguments: [
      (.done, .nothing), (.refuted(7), .nothing), (.failed(gone), .alone(gone)), (.failed(busy), .wait(busy)),
      (.conditionRefused, .otherCondition), (.notServed, .alone(nil)), (.differs(other), .alone(nil)),
      (.parted, .moveJoint), (.wrong("it is longer", brought: 0..<9), .alone(nil)), (.broken(gone), .end(gone)),
    ] as [(SegmentEnd, SegmentSequel)])
  func ofTheOwnServer(end: SegmentEnd, sequel: SegmentSequel) {
    #expect(end.sequel(of: Self.connection(), subject: Self.url) == sequel)
  }

  @Test func aConditionIsExchangedOnce() {
    let end = SegmentEnd.conditionRefused
    #expect(end.sequel(of: Self.connection { $0.usedIfMatch = true }, subject: Self.url) == .alone(nil))
  }

  @Test func whereRedirectsLedIsAskedForOnceMore() {
    let connection = Self.connection { $0.beganElsewhere = true }
    #expect(SegmentEnd.failed(Self.gone).sequel(of: connection, subject: Self.url) == .followAgain(Self.gone))
  }

  @Test func aShortAnswerIsAFailureWhereItBringsLittle() {
    #expect(SegmentEnd.short.sequel(of: Self.connection { $0.broughtMuch = true }, subject: Self.url) == .nothing)
    guard case .wait(let failure) = SegmentEnd.short.sequel(of: Self.connection(), subject: Self.url) else {
      Issue.record("no wait")
      return
    }
    #expect(failure.kind == .network && failure.recovery == .retry)
  }

  /// P16: a bad answer drops the mirror and nothing else.
  @Test(
    arguments: [
      (.failed(gone), .leaveMirror(because: "403 Forbidden")), (.failed(busy), .wait(busy)),
      (.notServed, .leaveMirror(because: "it does not support ranges")),
      (.differs(other), .leaveMirror(because: "it differs: \(other.text)")),
      (.wrong("it is longer", brought: nil), .leaveMirror(because: "it is longer")),
      (.parted, .moveJoint), (.broken(gone), .end(gone)),
    ] as [(SegmentEnd, SegmentSequel)])
  func ofAMirror(end: SegmentEnd, sequel: SegmentSequel) {
    #expect(end.sequel(of: Self.connection { $0.isMirror = true }, subject: Self.url) == sequel)
  }

  @Test func aMirrorIsLeftWhereItFailsTooOftenOrCannotProveItself() {
    let tiresome = Self.connection { ($0.isMirror, $0.isTiresome) = (true, true) }
    #expect(
      SegmentEnd.failed(Self.busy).sequel(of: tiresome, subject: Self.url) == .leaveMirror(because: Self.busy.reason))
    let unproved = Self.connection { ($0.isMirror, $0.isUnproved) = (true, true) }
    guard case .leaveMirror = SegmentEnd.parted.sequel(of: unproved, subject: Self.url) else {
      Issue.record("it stays")
      return
    }
  }
}
