// Parts that are not what they said they were: what they brought is taken back, and asked for once more in a way that proves
// where it belongs (R9, R28, H15).

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// How what came contradicts the digest that the answer has of it, as a clause; `nil` if it does not, or where not all
  /// of it came.
  func contradiction(_ writer: BodyWriter?) -> String? {
    guard let writer, writer.hasSpan else { return nil }
    return answer.proof?.contradiction
  }

  /// Who takes what is written of a part that does not count yet.
  var keeper: Transfer.Keeper? {
    answer.withheld == nil ? nil : { [unowned self] extent in answer.withheld?.append(extent) }
  }

  /// Counts a part whose end has come, where only its end proves it. What was cut off proves nothing: it is asked for
  /// once more, where there was enough of it to be worth it.
  func countWithheld(_ writer: BodyWriter, _ error: CurlError?, _ unwritten: Failure?) {
    guard exchange.intake.course.isOpen, unwritten == nil else { return }
    if error == nil, writer.hasSpan, let extents = answer.withheld {
      answer.withheld = nil
      outside.begin(
        version.recorded, in: writer.part, hashing: plan.algorithms(offered: version.recorded.offered), shared.spares)
      for extent in extents { outside.noteWritten(extent.segment, extent.sum) }
      outside.setReceived(outside.written.count)
    } else if !outside.isCancelled, writer.brought.upperBound - writer.start >= RetryPolicy.newGround {
      exchange.intake.cut(.wrong("it was cut off, and its length is unknown"))
    } else {
      try? writer.part.truncate(to: version.recorded.segments.end)
    }
  }

  /// Removes the bytes of a wrong part from what may be claimed.
  func withdraw(_ writer: BodyWriter, _ reason: String) {
    observer.transferRestarts(.wrongPart(reason))
    if answer.withheld != nil {
      outside.setReceived(version.recorded.segments.count)
    } else {
      outside.takeBack(writer.brought)
      (version.recorded.segments, version.recorded.sums) = (outside.written, outside.sums)
    }
    // Bytes at the end are gone at once; a record that still claims them cannot be believed then.
    try? writer.part.truncate(to: version.recorded.segments.end)
  }

  /// Asks once more after a wrong part: with an overlap that is compared, or for the whole.
  func askForProof(_ reason: String) -> NextStep {
    version.wrongParts += 1
    version.mustReleaseRecord = true
    if answer.withheld == nil, let part = version.part {
      version.takingBack = Transfer.unclaim(version.recorded, in: part, observer)
    }
    if version.wrongParts > 1 || hop.ask.compared == nil {
      again(.whole, .badAnswer(reason), isFresh: true)
    } else {
      let (ask, reason) = Ask.first(for: version.recorded, mode: plan.resume, digestIsKnown: plan.digestIsKnown)
      again(ask.compared ?? ask, reason, isFresh: true)
    }
    return .again
  }
}
