// The request's own body on the loop thread: sent, sent again after a redirect or a challenge, its answer judged.

internal import Curl
internal import DrayCore
internal import Posix
internal import Threads

extension FileTransfer {
  /// The request as it goes to this hop.
  var hopRequest: TransferRequest {
    var request = plan.request
    request.method = hop.method
    if !hop.sendsBody { request.body = nil }
    return request
  }

  /// Begins a hop: its body is sent from its start.
  func beginHop() -> TransferRequest {
    var request = hopRequest
    hop.sender = request.body.map(BodySender.init)
    hop.wasAnswered = false
    outside.noteSent(0)
    if hop.refusesExpectation { request.headers.append(HeaderField("Expect", "")) }
    return request
  }

  /// Whether the server will not be asked first: the same is sent once more without asking (RFC 9110 §10.1.1). The
  /// connection is cut, as libcurl would do the same by itself.
  func refusesToBeAsked(_ head: ResponseHead) -> Bool {
    guard head.status == 417, let length = hopRequest.body?.length, length >= RequestFields.announced else {
      return false
    }
    if hop.refusesExpectation {
      exchange.intake.cut(.fail(StatusRule.failure(head, subject: subject, now: Int64(WallClock.now()))))
    } else {
      hop.refusesExpectation = true
      exchange.intake.cut(.again)
    }
    return true
  }

  /// Judges the answer to a request that is not safe.
  func submitted(_ head: ResponseHead) {
    let action = SubmissionRule.action(
      on: head, keepsAnswer: plan.keepsAnswer, subject: subject, now: Int64(WallClock.now()))
    switch action {
    case .write(let length):
      if let failure = plan.expected.maxSize?.refusal(ofLength: length, subject) { return fail(answered(failure)) }
      begin(at: 0, until: length, total: length, comparing: 0, reason: nil, head)
    case .done:
      version.response = record(head)
      exchange.intake.decide(.answered)
    case .fail(let failure):
      fail(failure)
    }
  }

  /// A failure that leaves no doubt about the request: it was answered, and so has taken effect (P10).
  func answered(_ failure: Failure) -> Failure {
    var failure = failure
    failure.httpStatus = exchange.intake.head?.status
    return failure
  }

  func willSend() { outside.noteRequest() }

  func send(into space: UnsafeMutableRawBufferPointer) -> SendVerdict {
    guard let sender = hop.sender else { return .abort }
    let wanted = Int(min(Int64(space.count), sender.left))
    guard wanted > 0 else { return .sent(0) }
    let (count, time) = exchange.pace.take(wanted, now: TransferLoop.now)
    if count == 0, let time { return .pause(until: time) }
    do throws(SystemError) {
      try sender.read(into: UnsafeMutableRawBufferPointer(rebasing: space[..<count]))
    } catch {
      exchange.intake.cut(.fail(sender.failure(error)))
      return .abort
    }
    hop.wasAnswered = false
    exchange.note(count)
    outside.noteSent(sender.position)
    return .sent(count)
  }

  /// After a challenge it is sent again. Where there was no answer libcurl only found its connection closed: then it
  /// may have arrived, and is not sent again (P10).
  func rewind(to position: Int64) -> Bool {
    guard let sender = hop.sender, sender.position == 0 || hop.wasAnswered else { return false }
    sender.position = position
    outside.noteSent(position)
    return true
  }
}
