// The first connection of a file as one of several. It creates the crew, and leaves it like the others.

internal import Curl
internal import DrayCore

extension FileTransfer: SegmentWorker {
  var writer: BodyWriter? { if case .write(let writer) = answer.mode { writer } else { nil } }

  var socket: Int32? { exchange.handle?.socket }

  var pace: Pace { exchange.pace }

  var tickInterval: Double { crew?.lookInterval ?? .infinity }

  func bound(to upper: Int64) { writer?.bound(to: min(upper, member.carries)) }

  func settle() -> Bool {
    guard let writer else { return false }
    return outside.flush(writer, keeper) == nil
  }

  /// Lets other connections help if they can gain time, or if there is a gap behind the range of this one.
  func share(_ writer: BodyWriter) {
    guard crew == nil, version.ranges == nil, exchange.intake.source == nil, let handle = exchange.handle,
      let size = version.recorded.size,
      let head = exchange.intake.head,
      let response = version.response
    else { return }
    var context = context
    context.plan.maxConnections = plan.connectionsForAnswer?(response, size) ?? plan.maxConnections
    let asked = writer.start..<min(writer.until ?? size, size)
    let isHelpful = SegmentRule.mayHelp(
      head, missing: size - version.recorded.segments.count,
      connections: plan.isShort ? 1 : context.plan.maxConnections,
      isIdentified: !version.recorded.validators.isWeak || plan.digestIsKnown)
    guard isHelpful || hop.ask.isBounded else { return }
    member.lower = asked.lowerBound
    member.carries = asked.upperBound
    member.hasAnswered = true
    let record = CrewRecord(
      response: response, resumedFrom: version.resumedFrom, startedOver: version.startOver, lastURL: url,
      cookieLines: exchange.cookieReport?.after ?? plan.cookies ?? [])
    let file = CrewFile(
      part: writer.part, size: size, validators: version.recorded.validators, offered: version.recorded.offered,
      wrongParts: version.wrongParts)
    crew = SegmentCrew(
      context, file, lead: self, record: record, canGrow: isHelpful, latency: handle.info.firstByte)
  }

  /// Returns the crew's verdict on received bytes; `nil` accepts them.
  func crewVerdict(_ count: Int, _ writer: BodyWriter) -> BodyVerdict? {
    crew?.verdict(for: self, writer, count: count)
  }

  /// Whether this connection has received all bytes that were left to it.
  func hasLeft(_ writer: BodyWriter) -> Bool { crew?.lets(self, go: writer) ?? false }

  /// Handles bytes behind the end of its piece.
  func passesEnd(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    if let crew { return crew.passesEnd(self, writer, writer.surplus(of: bytes)) }
    member.isDismissed = true
    return .abort
  }

  /// Ends this connection. The crew continues, or ends the transfer.
  func leave(
    _ crew: SegmentCrew, _ writer: BodyWriter?, _ unwritten: Failure?, _ error: CurlError?, _ info: TransferInfo
  ) -> NextStep {
    let end: SegmentEnd
    if let unwritten {
      end = .broken(unwritten)
    } else if case .wrong(let reason)? = exchange.intake.course.decision {
      end = .wrong(reason, brought: writer?.brought)
    } else if outside.isCancelled || member.isDismissed || writer?.isDone ?? false {
      end = .done
    } else if case .fail(let failure)? = exchange.intake.course.decision {
      end = failure.kind == .file ? .broken(failure) : .failed(failure)
    } else if let error {
      end = .failed(exchange.intake.failure(of: error, info))
    } else {
      end = .short
    }
    crew.record.response.connection?.timings = RequestTimings(info, hasEnded: true)
    crew.record.cookies = exchange.cookieReport
    // An answer that was refused says nothing of this version.
    let isOfVersion =
      switch end {
      case .done, .short: true
      default: false
      }
    if error == nil, isOfVersion {
      crew.record.late = takeLateDigests()
      if !crew.record.late.isEmpty, let head = version.response?.head { crew.record.response.head = head }
    }
    crew.leave(self, writer, end)
    return .done
  }
}
