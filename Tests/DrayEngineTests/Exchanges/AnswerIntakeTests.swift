// How heads are received, for every kind of request: line by line, without a server.

import DrayCore
import Testing

@testable import Curl
@testable import DrayEngine

@Suite struct AnswerIntakeTests {
  private enum Next: AnswerSequel, Equatable {
    case again
    case fail(Failure)
    case done
  }

  private typealias Intake = AnswerIntake<Next>

  private func intake(_ change: (inout TransferRequest) -> Void = { _ in }) throws -> Intake {
    var request = TransferRequest(url: try url("http://h/file"))
    change(&request)
    var intake = Intake(request, from: request.url, TransportMemory(), followsPages: true)
    intake.begin()
    return intake
  }

  /// The events of these lines, without `.nothing`.
  private func events(_ lines: [String], _ intake: inout Intake) -> [Intake.Event] {
    lines.map { line in withBytes((line + "\r\n").utf8) { intake.receive($0) } }.filter { $0 != .nothing }
  }

  @Test func interimAnswersAreNone() throws {
    var intake = try intake()
    let found = events(
      ["HTTP/1.1 103 Early", "Link: <x>", "", "HTTP/1.1 200 OK", "A: b", "", "Trailer: late"], &intake)
    let head = ResponseHead(status: 200, reason: "OK", fields: [HeaderField("A", "b")])
    #expect(found == [.head(head)] && intake.head == head)
    #expect(intake.course.isAwaited && intake.course.goesOn)
  }

  @Test func whatBreaksTheRulesEndsTheAnswer() throws {
    var intake = try intake()
    #expect(events(["nonsense"], &intake).isEmpty)
    #expect(!intake.course.goesOn && intake.head == nil)
    guard case .fail(let failure)? = intake.course.decision else {
      Issue.record("no failure: \(String(describing: intake.course.decision))")
      return
    }
    #expect(failure.kind == .protocolViolation && failure.subject == "http://h/file")
  }

  @Test func aBodyWithoutHeadBreaksTheRules() throws {
    var intake = try intake()
    #expect(events(["HTTP/1.1 200 OK", "A: b"], &intake).isEmpty)
    let isInOrder = intake.bodyFollowsHead()
    #expect(!isInOrder)
    #expect(intake.course.decision != nil && !intake.course.goesOn)
    var whole = try self.intake()
    #expect(!events(["HTTP/1.1 200 OK", ""], &whole).isEmpty)
    whole.usesBody()
    let wholeIsInOrder = whole.bodyFollowsHead()
    #expect(wholeIsInOrder && whole.course.decision == nil)
  }

  @Test func aChallengeThatIsMetGivesWay() throws {
    var intake = try intake()
    let refused = ResponseHead(status: 401, reason: "Unauthorized")
    #expect(events(["HTTP/1.1 401 Unauthorized", ""], &intake) == [.head(refused)])
    intake.decide(.done)
    #expect(intake.course.decision == .done && !intake.hasMetChallenge)
    #expect(events(["HTTP/1.1 200 OK"], &intake) == [.superseded])
    #expect(intake.course.decision == nil && intake.head == nil && intake.hasMetChallenge)
    #expect(events([""], &intake) == [.head(ResponseHead(status: 200, reason: "OK"))])
  }

  /// The body of a challenge is awaited, as libcurl reads it to its end; other bodies are not.
  @Test(arguments: [(true, 401, true), (false, 401, false), (true, 404, false)])
  func patienceWithABodyOfNoUse(_ answers: Bool, _ status: Int, _ isPatient: Bool) throws {
    var intake = try intake {
      $0.credentials = Credentials(user: "u", password: "p")
      var options = AuthenticationOptions()
      options.scheme = .digest
      $0.authentication = answers ? options : nil
    }
    _ = events(["HTTP/1.1 \(status) X", "Content-Length: 1000000", ""], &intake)
    intake.decide(.done)
    #expect(intake.course.goesOn == isPatient)
    let later = TransferLoop.now() + 1
    if case .abort? = intake.patience(now: later) { #expect(!isPatient) } else { #expect(isPatient) }
  }

  @Test(arguments: [("HEAD", true), ("GET", false)]) func theLengthOfAHeadsAnswerIsNotAwaited(
    _ method: String, _ goesOn: Bool
  ) throws {
    var intake = try intake { $0.method = method }
    _ = events(["HTTP/1.1 200 OK", "Content-Length: 1000000", ""], &intake)
    intake.decide(.done)
    #expect(intake.course.goesOn == goesOn)
  }

  @Test func aRedirectMovesTheRequestOnce() throws {
    var intake = try intake()
    let head = ResponseHead(status: 301, reason: "Moved", fields: [HeaderField("Location", "/next")])
    #expect(events(["HTTP/1.1 301 Moved", "Location: /next", ""], &intake) == [.head(head)])
    let step = RedirectStep(status: 301, from: try url("http://h/file"), to: try url("http://h/next"), head: head)
    #expect(intake.redirect(by: head) == .followed(step, delay: 0))
    #expect(intake.url.string == "http://h/next" && intake.course.decision == .again)
    if case .again = intake.askAgain() {} else { Issue.record("it waits") }
    intake.begin()
    #expect(intake.url.string == "http://h/next" && intake.head == nil && intake.course.isAwaited)
    intake.restart()
    #expect(intake.url.string == "http://h/file" && intake.chain.hops.isEmpty)
  }

  @Test func aRefusedRedirectDecidesNothing() throws {
    var intake = try intake { request in
      var options = RedirectOptions()
      options.limit = 0
      request.redirects = options
    }
    let head = ResponseHead(status: 302, fields: [HeaderField("Location", "/next")])
    #expect(intake.redirect(by: head) == .refused("redirects are not allowed"))
    #expect(intake.url.string == "http://h/file" && intake.course.decision == nil)
  }

  @Test func aPageThatSendsItsReaderOnIsWaitedFor() throws {
    var intake = try intake()
    let lines = ["HTTP/1.1 200 OK", "Content-Type: text/html", "Refresh: 2; url=/next", ""]
    guard case .head(let head)? = events(lines, &intake).first else {
      Issue.record("no head")
      return
    }
    guard case .followed(_, let delay)? = intake.redirect(by: head) else {
      Issue.record("not followed")
      return
    }
    #expect(delay == 2)
    guard case .againAfter(2) = intake.askAgain() else {
      Issue.record("it does not wait")
      return
    }
    // During the wait nothing is decided and no delay is left, so that a stop counts as a stop.
    #expect(intake.course.decision == nil && intake.delay == 0)
  }
}
