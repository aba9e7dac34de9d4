// Lets other connections fetch a file together with the first one. The first connection creates the group, and leaves
// it like any other connection.

internal import Curl
internal import DrayCore

extension FileTransfer: SegmentWorker {
  var writer: BodyWriter? { if case .write(let writer) = answer.mode { writer } else { nil } }

  var socket: Int32? { exchange.handle?.socket }

  var pace: Pace { exchange.pace }

  var tickInterval: Double { group?.lookInterval ?? .infinity }

  func bound(to upper: Int64) { writer?.bound(to: min(upper, member.carries)) }

  func settle() -> Bool {
    guard let writer else { return false }
    return outside.flush(writer, keeper) == nil
  }

  /// Lets other connections help if this saves time, or if this connection's range does not cover all missing bytes.
  func share(_ writer: BodyWriter) {
    guard group == nil, version.ranges == nil, exchange.receiver.source == nil, let handle = exchange.handle,
      let size = version.recorded.size,
      let head = exchange.receiver.head,
      let response = version.response
    else { return }
    var context = context
    context.plan.maxConnections = plan.connectionsForAnswer?(response, size) ?? plan.maxConnections
    let asked = writer.start..<min(writer.until ?? size, size)
    let isHelpful = SegmentRule.mayHelp(
      head, missing: size - version.recorded.segments.count,
      connections: plan.isShort ? 1 : context.plan.maxConnections,
      isIdentified: !version.recorded.validators.isWeak || plan.digestIsKnown)
    guard isHelpful || current.ask.isBounded else { return }
    member.lower = asked.lowerBound
    member.carries = asked.upperBound
    member.hasAnswered = true
    let record = GroupRecord(
      response: response, resumedFrom: version.resumedFrom, startedOver: version.startOver, lastURL: url,
      cookieLines: exchange.cookieReport?.after ?? plan.cookies ?? [])
    let file = GroupFile(
      part: writer.part, size: size, validators: plan.identifying(version.recorded).validators,
      offered: version.recorded.offered, wrongParts: version.wrongParts)
    group = ConnectionGroup(
      context, file, lead: self, record: record, canGrow: isHelpful, info: handle.info)
  }

  /// Returns the group's verdict on received bytes; `nil` means that they are accepted.
  func groupVerdict(_ count: Int, _ writer: BodyWriter) -> BodyVerdict? {
    group?.verdict(for: self, writer, count: count)
  }

  /// Whether this connection has received all its bytes and may leave.
  func hasLeft(_ writer: BodyWriter) -> Bool { group?.lets(self, go: writer) ?? false }

  /// Passes bytes from beyond the end of the piece to the group.
  func passesEnd(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    if let group { return group.passesEnd(self, writer, writer.surplus(of: bytes)) }
    member.isDismissed = true
    return .abort
  }

  /// Ends this connection. The group either continues or ends the transfer.
  func leave(
    _ group: ConnectionGroup, _ writer: BodyWriter?, _ unwritten: Failure?, _ error: CurlError?, _ info: TransferInfo
  ) -> NextStep {
    let end: SegmentEnd
    if let unwritten {
      end = .broken(unwritten)
    } else if case .wrong(let reason)? = exchange.receiver.course.decision {
      end = .wrong(reason, brought: writer?.brought)
    } else if outside.isCancelled || member.isDismissed || writer?.isDone ?? false {
      end = .done
    } else if case .fail(let failure)? = exchange.receiver.course.decision {
      end = failure.kind == .file ? .broken(failure) : .failed(failure)
    } else if let error {
      end = .failed(exchange.receiver.failure(of: error, info))
    } else {
      end = .short
    }
    group.record.response.connection?.timings = RequestTimings(info, hasEnded: true)
    group.record.cookies = exchange.cookieReport
    // A refused answer proves nothing about this version.
    let isOfVersion =
      switch end {
      case .done, .short: true
      default: false
      }
    if error == nil, isOfVersion {
      group.record.late = takeLateDigests()
      if !group.record.late.isEmpty, let head = version.response?.head { group.record.response.head = head }
    }
    group.leave(self, writer, end)
    return .done
  }
}
