// Decides how the end of a connection affects the other connections of its file.

internal import Curl
internal import DrayCore

extension ConnectionGroup {
  /// Applies the end of a connection to the other connections of its file.
  func apply(_ end: SegmentEnd, of worker: any SegmentWorker, progress: Int64, now: Double) {
    if case .failed(let failure) = end, losesLine(worker, failure, now: now) { return }
    let source = worker.member.source
    let isOwn = sources[source].isOwn
    let isHome = worker.url.origin == home
    let counts = sources[source].proof != .comparison
    if case .wrong(let reason, let brought) = end {
      if isOwn, isHome { record.wrongPart = reason }
      if let brought, counts { withdraw(brought, because: reason) }
    }
    // After an answer of another version, do not open further connections.
    if case .differs = end, isOwn, isHome { noteDisagreement() }
    var connection = SegmentEnd.Connection()
    connection.isMirror = !isOwn
    connection.isUnproved = !counts
    connection.beganElsewhere = sources[source].url != sources[source].request.address
    connection.usedIfMatch = sources[source].refusesIfRange
    connection.broughtMuch = progress > 0 && worker.writer?.isProgress ?? false
    connection.isFlowing = progress > 0 && worker.writer?.isFlowing ?? false && !task.isLastTry
    // A server that still serves other connections is useful, even if it refuses a new one.
    let isServing = plan.pieces.contains { $0.source == source && $0.hasBytes && !$0.isClosing }
    connection.isTiresome = sources[source].strikes + 1 >= SegmentSource.patience && !isServing
    switch end.sequel(of: connection, subject: URLRedaction.redacted(sources[source].url.string)) {
    case .nothing:
      break
    case .wait(let failure):
      note(failure, of: worker, now: now)
    case .followAgain(let failure):
      note(failure, of: worker, now: now)
      sources[source].url = sources[source].request.address
    case .otherCondition:
      sources[source].refusesIfRange = true
    case .alone(let failure):
      if let failure { note(failure, of: worker, now: now) }
      for own in sources.indices where sources[own].isOwn {
        sources[own].servesRanges = false
        sources[own].url = sources[own].request.address
      }
    case .moveJoint:
      moveJointBack(worker.member.lower)
    case .leaveMirror(let reason):
      if case .failed(let failure) = end { note(failure, of: worker, now: now) }
      leaveMirror(source, because: reason)
    case .end(let failure):
      ending = ending ?? .failed(failure)
    }
  }

  func note(_ failure: Failure, of worker: any SegmentWorker, now: Double) {
    let source = worker.member.source
    // Record a mirror's failure only if no other failure is known yet.
    if sources[source].isOwn || record.lastFailure == nil { record.lastFailure = failure }
    if sources[source].isOwn { record.lastURL = sources[source].url }
    // A connection that broke off says nothing about the server.
    if failure.httpStatus == nil { record.isTypical = false }
    sources[source].strike(failure, now: now)
    shared.load.hold(sources[source].url.origin, until: sources[source].askedUntil)
    if sources[source].standing == .sampled { sources[source].standing = .untried }
    if !plan.pieces.isEmpty, worker.member.piece != nil {
      noteRefusal(of: source, now: now, until: failure.retryAfter.map { now + Double($0) })
    }
  }

  /// Gives an unowned range back to the connection that fetches the bytes before it, if that connection's answer covers
  /// the range.
  func giveBack(at lower: Int64) {
    // Do nothing while bytes on disk are being given up, because the connection would write at once.
    guard !reduction.isPending, let free = plan.unowned.segments.first(where: { $0.contains(lower) }),
      let piece = plan.pieces.first(where: { $0.upper == lower && !$0.isClosing }),
      let worker = members.first(where: { $0.member.piece == piece.id }),
      !worker.member.isDismissed, worker.member.carries > lower, !(worker.member.seam?.isPassed ?? false)
    else { return }
    let upper = min(free.upperBound, worker.member.carries)
    plan.extend(piece.id, to: upper)
    worker.bound(to: upper)
  }

  /// Whether a connection that is to fetch the bytes at `position` still waits for its answer.
  func isAwaited(_ position: Int64) -> Bool {
    members.contains { $0.member.lower == position && !$0.member.hasAnswered && $0.member.piece != nil }
  }

  /// Adds to a failure the time for which the server still asks to be left alone.
  func waiting(_ failure: Failure, _ now: Double) -> Failure {
    let askedUntil = sources.filter(\.isOwn).map(\.askedUntil).max() ?? 0
    let left = Int64((askedUntil - now).rounded(.up))
    guard failure.recovery == .retry, left > failure.retryAfter ?? 0 else { return failure }
    var failure = failure
    failure.retryAfter = left
    return failure
  }

  var unfinished: Failure {
    Failure(
      .network, URLRedaction.redacted(record.lastURL.string),
      "the connections ended with \(ByteCount.text(plan.remaining)) missing", advice: "\(.run) continues from there",
      recovery: .retry)
  }
}
