// Takes back the bytes of wrong parts, and requests them again in a way that proves their position (R9, R28, H15).

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// Returns the contradiction between the received bytes and the answer's digest, as a clause; `nil` if there is none,
  /// or not all bytes have arrived.
  func contradiction(_ writer: BodyWriter?) -> String? {
    guard let writer, writer.hasSpan else { return nil }
    return answer.proof?.contradiction
  }

  /// Receives the written bytes of a part that does not count yet.
  var keeper: Transfer.Keeper? {
    answer.withheld == nil ? nil : { [unowned self] extent in answer.withheld?.append(extent) }
  }

  /// Counts a complete part that only its end proves. A cut part proves nothing: it is requested again, if it was long
  /// enough to be worth that.
  func countWithheld(_ writer: BodyWriter, _ error: CurlError?, _ unwritten: Failure?) {
    guard exchange.receiver.course.isOpen, unwritten == nil else { return }
    if error == nil, writer.hasSpan, let extents = answer.withheld {
      answer.withheld = nil
      outside.begin(
        version.recorded, in: writer.part, hashing: plan.algorithms(offered: version.recorded.offered), shared.spares)
      for extent in extents { outside.noteWritten(extent.segment, extent.sum) }
      outside.setReceived(outside.written.count)
    } else if !outside.isCancelled, writer.brought.upperBound - writer.start >= Joint.newGround {
      exchange.receiver.cut(.wrong("it was cut off, and its length is unknown"))
    } else {
      try? writer.part.truncate(to: version.recorded.segments.end)
    }
  }

  /// Removes the bytes of a wrong part from those that may be claimed.
  func withdraw(_ writer: BodyWriter, _ reason: String) {
    observer.transferRestarts(.wrongPart(reason))
    if answer.withheld != nil {
      outside.setReceived(version.recorded.segments.count)
    } else {
      outside.takeBack(writer.brought)
      (version.recorded.segments, version.recorded.sums) = (outside.written, outside.sums)
    }
    // Bytes at the end are removed at once, so the record that claims them is wrong.
    try? writer.part.truncate(to: version.recorded.segments.end)
  }

  /// Requests again after a wrong part: with an overlap to compare, or the whole.
  func askForProof(_ reason: String) -> NextStep {
    version.wrongParts += 1
    version.mustReleaseRecord = true
    if answer.withheld == nil, let part = version.part {
      version.takingBack = Transfer.unclaim(version.recorded, in: part, observer)
    }
    if version.wrongParts > 1 || current.ask.compared(after: given) == nil {
      again(.whole, .badAnswer(reason), isFresh: true)
    } else {
      let (ask, reason) = firstAsk()
      again(ask.compared(after: given) ?? ask, reason, isFresh: true)
    }
    return .again
  }
}
