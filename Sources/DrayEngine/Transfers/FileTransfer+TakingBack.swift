// Gives up the bytes of wrong parts, and requests new bytes in a way that proves where they belong (R9, R28, H15).

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// The contradiction between the received bytes and the answer's digest, as a clause; `nil` if they match, or if
  /// bytes are missing.
  func contradiction(_ writer: BodyWriter?) -> String? {
    guard let writer, writer.hasSpan else { return nil }
    return answer.proof?.contradiction
  }

  /// The receiver that keeps the bytes of a part until they count.
  var keeper: Transfer.Keeper? {
    answer.withheld == nil ? nil : { [unowned self] extent in answer.withheld?.append(extent) }
  }

  /// Lets the bytes of a complete part count, if only the end of the part could prove them. A part that was cut off
  /// proves nothing: its bytes are requested again, unless they are too few to be worth a request.
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

  /// Gives up the bytes of a wrong part, so that no record covers these bytes.
  func withdraw(_ writer: BodyWriter, _ reason: String) {
    observer.transferRestarts(.wrongPart(reason))
    if answer.withheld != nil {
      outside.setReceived(version.recorded.segments.count)
    } else {
      outside.takeBack(writer.brought)
      (version.recorded.segments, version.recorded.sums) = (outside.written, outside.sums)
    }
    // The end of the file is removed now, so a record that covers it would be wrong.
    try? writer.part.truncate(to: version.recorded.segments.end)
  }

  /// After a wrong part, requests the rest with an overlap to compare, or the whole file.
  func askForProof(_ reason: String) -> NextStep {
    version.wrongParts += 1
    version.mustReleaseRecord = true
    if answer.withheld == nil, let part = version.part {
      version.takingBack = Transfer.reduceRecord(to: version.recorded, in: part, observer)
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
