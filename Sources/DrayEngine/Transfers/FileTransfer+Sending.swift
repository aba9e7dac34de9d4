// Sends the body of a request, sends it again after a redirect or a challenge, and judges the answer.

internal import Curl
internal import DrayCore
internal import Posix
internal import Threads

extension FileTransfer {
  var requestNow: TransferRequest {
    var request = plan.request
    request.method = current.method
    if !current.sendsBody { request.body = nil }
    if let interface = member.interface { request.interface = interface }
    return request
  }

  /// Requests the current URL, and sends the body from its start.
  func startRequest() -> TransferRequest {
    var request = requestNow
    current.sender = request.body.map(BodySender.init)
    current.wasAnswered = false
    outside.noteSent(0)
    if current.refusesExpectation { request.headers.append(HeaderField("Expect", "")) }
    return request
  }

  /// Whether the server refuses `Expect: 100-continue`. If so, the request is repeated without that field (RFC 9110
  /// §10.1.1). The connection is closed first, because libcurl would otherwise repeat the request, too.
  func refusesToBeAsked(_ head: ResponseHead) -> Bool {
    guard head.status == 417, let length = requestNow.body?.length, length >= RequestFields.announced else {
      return false
    }
    if current.refusesExpectation {
      exchange.receiver.cut(.fail(StatusRule.failure(head, subject: subject, now: Int64(WallClock.now()))))
    } else {
      current.refusesExpectation = true
      exchange.receiver.cut(.again)
    }
    return true
  }

  /// Takes the answer to a request that is not safe (RFC 9110 §9.2.1).
  func submitted(_ head: ResponseHead) {
    let action = SubmissionRule.action(
      on: head, keepsAnswer: plan.keepsAnswer, subject: subject, now: Int64(WallClock.now()))
    switch action {
    case .write(let length):
      if let failure = plan.expected.maxSize?.refusal(ofLength: length, subject) { return fail(answered(failure)) }
      begin(at: 0, until: length, total: length, comparing: 0, reason: nil, head)
    case .done:
      version.response = record(head)
      exchange.receiver.decide(.answered)
    case .fail(let failure):
      fail(failure)
    }
  }

  /// Returns the failure of a request that was answered and has therefore taken effect (P10).
  func answered(_ failure: Failure) -> Failure {
    var failure = failure
    failure.httpStatus = exchange.receiver.head?.status
    return failure
  }

  func willSend() { outside.noteRequest() }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict {
    guard let sender = current.sender else { return .abort }
    let wanted = Int(min(Int64(space.count), sender.left))
    guard wanted > 0 else { return .sent(0) }
    let (count, time) = exchange.pace.take(wanted, now: TransferLoop.now)
    if count == 0, let time { return .pause(until: time) }
    do throws(SystemError) {
      try sender.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<count]))
    } catch {
      exchange.receiver.cut(.fail(sender.failure(error)))
      return .abort
    }
    current.wasAnswered = false
    exchange.note(count)
    outside.noteSent(sender.position)
    return .sent(count)
  }

  /// Whether libcurl may send the body again. It may after a challenge. If there was no answer, libcurl has only found
  /// the connection closed: the body may have arrived and must not be sent again (P10).
  func rewind(to position: Int64) -> Bool {
    guard let sender = current.sender, sender.position == 0 || current.wasAnswered else { return false }
    sender.position = position
    outside.noteSent(position)
    return true
  }
}
