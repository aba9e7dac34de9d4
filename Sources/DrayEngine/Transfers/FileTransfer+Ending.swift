// Ends a request: the file is complete, the answer was cut short, or the file is requested again.

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// ``finish(_:info:)`` flushes the received bytes and carries out the decision on the answer. Without a decision,
  /// `judgeBody` decides whether the body is complete. `report` delivers the outcome.
  func finish(_ error: CurlError?, info: TransferInfo) -> NextStep {
    if let source = exchange.receiver.source, exchange.receiver.course.isAwaited, !outside.isCancelled {
      decideWithoutBody(source, error, info)
    }
    // Only this stream has stalled, so the next request must not use the same connection.
    if exchange.hasStalled, !info.wasGivenUp { shared.stalled.insert(plan.partName) }
    if exchange.receiver.head != nil { version.response?.connection?.timings = RequestTimings(info, hasEnded: true) }
    if case .inspect(_, let until, let reason) = answer.mode, error == nil, exchange.receiver.course.isOpen {
      inspectWhole(until: until, reason)
    }
    if case .gated(let writer, .whole) = answer.mode, error == nil, exchange.receiver.course.isOpen {
      // No byte arrived, so the new version is empty. Empty the part file, so that all records of its bytes are
      // forgotten.
      try? writer.part.empty()
      openGate(writer, .whole)
    }
    let writer: BodyWriter? =
      switch answer.mode {
      case .write(let writer), .gated(let writer, _), .compare(let writer): writer
      case .none, .inspect: nil
      }
    defer { if let writer { shared.buffers.giveBack(writer.surrender()) } }
    let unwritten = flush(writer)
    note(writer)
    if let wrong = contradiction(writer) { exchange.receiver.cut(.wrong(wrong)) }
    if let group { return leave(group, writer, unwritten, error, info) }
    if let writer, answer.withheld != nil { countWithheld(writer, error, unwritten) }
    if case .wrong(let reason)? = exchange.receiver.course.decision, let writer { withdraw(writer, reason) }
    if let failure = unwritten { return report(.failed(failure), writer) }
    if outside.isCancelled { return report(.cancelled, writer) }

    if isLeftover(error, info) {
      current.wantsFreshConnection = true
      return .again
    }
    if let failure = cutHandshake(error, info) { return report(.failed(failure), writer) }

    if let next = followDecision(writer, error) { return next }
    guard let writer, case .write = answer.mode, !writer.isComparing else { return endWithoutBody(writer, error, info) }
    return judgeBody(writer, error, info)
  }

  /// Carries out the decision on the answer's head; returns `nil` if none was made.
  private func followDecision(_ writer: BodyWriter?, _ error: CurlError?) -> NextStep? {
    switch exchange.receiver.course.decision {
    case .again? where exchange.receiver.isStopped(by: error):
      return report(.cancelled, writer)
    case .again?:
      return exchange.receiver.askAgain()
    case .wrong(let reason)?:
      return askForProof(reason)
    case .complete?:
      guard let part = version.part else { return report(.cancelled, writer) }
      return report(.whole(part, size: version.recorded.segments.end, .proved), writer)
    case .endUnproved?:
      return endUnproved(writer)
    case .answered?:
      return report(.answered, writer)
    case .upToDate?:
      return report(.upToDate, writer)
    case .fail(let failure)?:
      return report(.failed(failure), writer)
    case nil:
      return nil
    }
  }

  /// Ends an answer that had no bytes to write.
  private func endWithoutBody(_ writer: BodyWriter?, _ error: CurlError?, _ info: TransferInfo) -> NextStep {
    if version.end.doubted != nil {
      if exchange.receiver.head == nil, version.end.mayAskAgain() {
        again(current.ask, nil)
        return .again
      }
      if error == nil { return endUnproved(writer) }
    }
    let failure =
      error.map { exchange.receiver.failure(of: $0, info) }
      ?? Failure(.network, subject, "the answer ended early", advice: "\(.run) continues", recovery: .retry)
    return report(.failed(failure), writer)
  }

  /// Returns the failure if an answer ended while libcurl was about to answer its challenge. The failure does not say
  /// that the credentials are wrong.
  private func cutHandshake(_ error: CurlError?, _ info: TransferInfo) -> Failure? {
    guard let error, let head = exchange.receiver.head, head.isChallenge, plan.request.answersChallenges,
      !exchange.receiver.course.hasPassedOver
    else {
      return nil
    }
    if error.code == .abortedByCallback, !exchange.receiver.course.goesOn {
      return exchange.receiver.hasMetChallenge ? nil : StatusRule.unfinishedChallenge(head, subject: subject)
    }
    let failure = exchange.receiver.failure(of: error, info)
    return failure.kind == .network ? failure : nil
  }

  /// Whether a reused connection delivered something that is not an answer, because an earlier answer may have sent
  /// bytes beyond its end. If so, a request over a new connection will show.
  private func isLeftover(_ error: CurlError?, _ info: TransferInfo) -> Bool {
    guard error != nil, exchange.receiver.head == nil, exchange.receiver.source == nil, info.isConnected,
      info.newConnections == 0,
      !current.wantsFreshConnection
    else {
      return false
    }
    if case .fail(let failure)? = exchange.receiver.course.decision { return failure.kind == .protocolViolation }
    return error?.failure(subject, info: info).kind == .protocolViolation
  }

  /// Writes the received bytes. They are kept, no matter how the request ended.
  private func flush(_ writer: BodyWriter?) -> Failure? {
    guard let writer, case .write = answer.mode else { return nil }
    return outside.flush(writer, keeper)
  }

  private func judgeBody(_ writer: BodyWriter, _ error: CurlError?, _ info: TransferInfo) -> NextStep {
    if error == nil, !requestNow.isSafe, writer.position == 0, version.recorded.size == nil {
      return report(.answered, writer)
    }
    if error == nil { version.recorded.offered += takeLateDigests() }
    if let total = version.recorded.size {
      if writer.position == total || version.ranges != nil && outside.written.isWhole(total) {
        return report(.whole(writer.part, size: total, .proved), writer)
      }
    } else if error == nil {
      let isFramed = exchange.receiver.head.map { $0.isChunked || ResponseHead.isMultiplexed($0.version) } ?? false
      // FTP confirms the end on its control connection (226).
      guard isFramed || exchange.receiver.source != nil || info.endedWithNotice else {
        return report(
          .failed(
            Failure(
              .network, subject, "the TLS connection was closed without notice, so the file may be cut off",
              advice: "\(.run) tries again", recovery: .retry)),
          writer)
      }
      // The server has proved that it speaks HTTP/1.1, so its next files need no second request for a proof.
      if isFramed, version.end.isOverHTTP1 { transport.doubtHTTP2(of: url) }
      guard mayBeReset(at: writer.position) else {
        return report(.whole(writer.part, size: writer.position, isFramed ? .proved : .unverified), writer)
      }
      return askForEnd(writer) ?? report(.whole(writer.part, size: writer.position, .unverified), writer)
    }
    if let error, !writer.isDone {
      if error.code == .http2Stream, version.recorded.size == nil, mayBeReset(at: writer.position),
        let next = askForEnd(writer, isBroken: true)
      {
        return next
      }
      let failure = exchange.receiver.failure(of: error, info)
      // If connections break off again and again, waiting would only slow the transfer down.
      let goesOn = plan.request.isSafe && !plan.isLastTry && writer.isFlowing && failure.isCut
      return goesOn ? askForRest(writer) : report(.failed(failure), writer)
    }
    if plan.request.isSafe, writer.isProgress || version.ranges != nil && writer.isDone { return askForRest(writer) }
    return report(
      .failed(
        Failure(
          .network, subject, "the answer ended at byte \(writer.position) of \(version.recorded.size ?? 0)",
          advice: "\(.run) continues from there", recovery: .retry)), writer)
  }

  /// Returns the digests that only the trailers offer. They are added to the recorded answer, so that an object can be
  /// compared with them even after a crash.
  func takeLateDigests() -> [SourcedDigest] {
    guard let head = exchange.receiver.head else { return [] }
    let trailers = exchange.receiver.trailers
    let late = plan.offered(by: trailers, of: head).filter { !version.recorded.offered.contains($0) }
    if !late.isEmpty, let recorded = version.response?.head {
      version.response?.head = recorded.withDigests(of: trailers)
    }
    return late
  }

  /// Requests the bytes after a complete part, because some servers limit the length of a part.
  private func askForRest(_ writer: BodyWriter) -> NextStep {
    (version.recorded.segments, version.recorded.sums) = (outside.written, outside.sums)
    version.mustReleaseRecord = true
    // An answer that reached its announced end was not cut off.
    let (ask, reason) = firstAsk(isUncut: writer.hasSpan)
    again(ask, reason)
    return .again
  }

  /// Returns the request that continues the recorded bytes.
  func firstAsk(isUncut: Bool = false) -> (Ask, StartOver?) {
    let isUncut = isUncut || version.recorded.segments.firstGap.map { plan.isProved(before: $0.lower) } ?? false
    return Ask.first(
      // If the server only serves ranges, their overlaps prove the version.
      for: plan.identifying(version.recorded), mode: version.ranges == nil ? plan.resume : .always,
      digestIsKnown: plan.digestIsKnown, isUncut: isUncut, given: given)
  }

  /// The number of bytes that the last connection received; `nil` if overlaps do not depend on it.
  var given: Int64? { version.part?.isReadable ?? true ? shared.given[plan.partName] : nil }

  /// Records how many bytes a connection received.
  private func note(_ writer: BodyWriter?) {
    guard let writer, writer.given > 0, plan.request.isSafe else { return }
    if case .write = answer.mode { shared.given[plan.partName] = writer.given }
  }

  /// Ends a transfer if it is unknown whether its last answer was the whole file.
  private func endUnproved(_ writer: BodyWriter?) -> NextStep {
    guard let part = version.part else { return report(.cancelled, writer) }
    guard !version.end.isBroken else {
      return report(
        .failed(
          Failure(
            .network, subject, "the server broke off the answer", advice: "\(.run) tries again", recovery: .retry)),
        writer)
    }
    return report(.whole(part, size: version.recorded.segments.end, .unverified), writer)
  }

  private func report(_ end: TransferEnd, _ writer: BodyWriter?) -> NextStep {
    if let writer, !writer.isComparing, answer.withheld == nil, case .write = answer.mode {
      // Release reserved blocks beyond the received bytes, so that other files or the next attempt can use them.
      if case .whole = end {} else { writer.part.trim(to: max(writer.flushed, outside.written.end)) }
    }
    shared.load.move(&member.origin, to: nil)
    if case .failed(let failure) = end, failure.kind == .network, exchange.receiver.head == nil {
      shared.lines.fails(member.interface, now: TransferLoop.now())
    }
    shared.lines.leave(&member.interface)
    if case .whole = end { shared.given[plan.partName] = nil }
    outside.deliver(
      TransferOutcome(
        end: end, response: version.response, resumedFrom: version.resumedFrom,
        reached: outside.written.count, startedOver: version.startOver, lastURL: exchange.receiver.url,
        wasSent: outside.wasSent, cookies: exchange.cookieReport, offered: version.recorded.offered,
        hasSeeds: !plan.proved.isEmpty))
    return .done
  }
}
