// How heads are received, for every kind of request: line by line, without a server.

import DrayCore
import Testing

@testable import Curl
@testable import DrayEngine

@Suite struct AnswerReceiverTests {
  private enum Next: AnswerSequel, Equatable {
    case again
    case fail(Failure)
    case done
  }

  private typealias Receiver = AnswerReceiver<Next>

  private func receiver(_ change: (inout TransferRequest) -> Void = { _ in }) throws -> Receiver {
    var request = TransferRequest(url: try url("http://h/file"))
    change(&request)
    var receiver = Receiver(request, from: request.url, TransportMemory(), followsPages: true)
    receiver.begin()
    return receiver
  }

  /// The events of these lines, without `.nothing`.
  private func events(_ lines: [String], _ receiver: inout Receiver) -> [Receiver.Event] {
    lines.map { line in withBytes((line + "\r\n").utf8) { receiver.receive($0) } }.filter { $0 != .nothing }
  }

  @Test func interimAnswersAreNone() throws {
    var receiver = try receiver()
    let found = events(
      ["HTTP/1.1 103 Early", "Link: <x>", "", "HTTP/1.1 200 OK", "A: b", "", "Trailer: late"], &receiver)
    let head = ResponseHead(status: 200, reason: "OK", fields: [HeaderField("A", "b")])
    #expect(found == [.head(head)] && receiver.head == head)
    #expect(receiver.course.isAwaited && receiver.course.goesOn)
  }

  @Test func whatBreaksTheRulesEndsTheAnswer() throws {
    var receiver = try receiver()
    #expect(events(["nonsense"], &receiver).isEmpty)
    #expect(!receiver.course.goesOn && receiver.head == nil)
    guard case .fail(let failure)? = receiver.course.decision else {
      Issue.record("no failure: \(String(describing: receiver.course.decision))")
      return
    }
    #expect(failure.kind == .protocolViolation && failure.subject == "http://h/file")
  }

  @Test func aBodyWithoutHeadBreaksTheRules() throws {
    var receiver = try receiver()
    #expect(events(["HTTP/1.1 200 OK", "A: b"], &receiver).isEmpty)
    let isInOrder = receiver.bodyFollowsHead()
    #expect(!isInOrder)
    #expect(receiver.course.decision != nil && !receiver.course.goesOn)
    var whole = try self.receiver()
    #expect(!events(["HTTP/1.1 200 OK", ""], &whole).isEmpty)
    whole.usesBody()
    let wholeIsInOrder = whole.bodyFollowsHead()
    #expect(wholeIsInOrder && whole.course.decision == nil)
  }

  @Test func aChallengeThatIsMetGivesWay() throws {
    var receiver = try receiver()
    let refused = ResponseHead(status: 401, reason: "Unauthorized")
    #expect(events(["HTTP/1.1 401 Unauthorized", ""], &receiver) == [.head(refused)])
    receiver.decide(.done)
    #expect(receiver.course.decision == .done && !receiver.hasMetChallenge)
    #expect(events(["HTTP/1.1 200 OK"], &receiver) == [.superseded])
    #expect(receiver.course.decision == nil && receiver.head == nil && receiver.hasMetChallenge)
    #expect(events([""], &receiver) == [.head(ResponseHead(status: 200, reason: "OK"))])
  }

  /// The body of a challenge is awaited, as libcurl reads it to its end; other bodies are not.
  @Test(arguments: [(true, 401, true), (false, 401, false), (true, 404, false)])
  func patienceWithABodyOfNoUse(_ answers: Bool, _ status: Int, _ isPatient: Bool) throws {
    var receiver = try receiver {
      $0.credentials = Credentials(user: "u", password: "p")
      var options = AuthenticationOptions()
      options.scheme = .digest
      $0.authentication = answers ? options : nil
    }
    _ = events(["HTTP/1.1 \(status) X", "Content-Length: 1000000", ""], &receiver)
    receiver.decide(.done)
    #expect(receiver.course.goesOn == isPatient)
    let later = TransferLoop.now() + 1
    if case .abort? = receiver.patience(now: later) { #expect(!isPatient) } else { #expect(isPatient) }
  }

  @Test(arguments: [("HEAD", true), ("GET", false)]) func theLengthOfAHeadsAnswerIsNotAwaited(
    _ method: String, _ goesOn: Bool
  ) throws {
    var receiver = try receiver { $0.method = method }
    _ = events(["HTTP/1.1 200 OK", "Content-Length: 1000000", ""], &receiver)
    receiver.decide(.done)
    #expect(receiver.course.goesOn == goesOn)
  }

  @Test func aRedirectMovesTheRequestOnce() throws {
    var receiver = try receiver()
    let head = ResponseHead(status: 301, reason: "Moved", fields: [HeaderField("Location", "/next")])
    #expect(events(["HTTP/1.1 301 Moved", "Location: /next", ""], &receiver) == [.head(head)])
    let step = RedirectStep(status: 301, from: try url("http://h/file"), to: try url("http://h/next"), head: head)
    #expect(receiver.redirect(by: head) == .followed(step, delay: 0))
    #expect(receiver.url.string == "http://h/next" && receiver.course.decision == .again)
    if case .again = receiver.askAgain() {} else { Issue.record("it waits") }
    receiver.begin()
    #expect(receiver.url.string == "http://h/next" && receiver.head == nil && receiver.course.isAwaited)
    receiver.restart()
    #expect(receiver.url.string == "http://h/file" && receiver.chain.hops.isEmpty)
  }

  @Test func aRefusedRedirectDecidesNothing() throws {
    var receiver = try receiver { request in
      var options = RedirectOptions()
      options.limit = 0
      request.redirects = options
    }
    let head = ResponseHead(status: 302, fields: [HeaderField("Location", "/next")])
    #expect(receiver.redirect(by: head) == .refused("redirects are not allowed"))
    #expect(receiver.url.string == "http://h/file" && receiver.course.decision == nil)
  }

  @Test func aPageThatSendsItsReaderOnIsWaitedFor() throws {
    var receiver = try receiver()
    let lines = ["HTTP/1.1 200 OK", "Content-Type: text/html", "Refresh: 2; url=/next", ""]
    guard case .head(let head)? = events(lines, &receiver).first else {
      Issue.record("no head")
      return
    }
    guard case .followed(_, let delay)? = receiver.redirect(by: head) else {
      Issue.record("not followed")
      return
    }
    #expect(delay == 2)
    guard case .againAfter(2) = receiver.askAgain() else {
      Issue.record("it does not wait")
      return
    }
    // During the wait nothing is decided and no delay is left, so that a stop counts as a stop.
    #expect(receiver.course.decision == nil && receiver.delay == 0)
  }
}
