// Parts that are not what they said they were: what they brought is taken back, and asked for once more in a way that proves
// where it belongs (R9, R28, H15).

internal import Curl
internal import DrayCore

extension FileTransfer {
  /// How what came contradicts the digest that the answer has of it, as a clause; `nil` where it does not, or where not all
  /// of it came.
  func contradiction(_ writer: BodyWriter?) -> String? {
    guard let writer, writer.hasSpan else { return nil }
    return proof?.contradiction
  }

  /// Who takes what is written of a part that does not count yet.
  var keeper: Transfer.Keeper? {
    withheld == nil ? nil : { [unowned self] extent in withheld?.append(extent) }
  }

  /// Counts a part whose end has come, where only that tells that it is one. What was cut off proves nothing: it is asked for
  /// once more, where there was enough of it to be worth it.
  func settleWithheld(_ writer: BodyWriter, _ error: CurlError?, _ unwritten: Failure?) {
    guard course.isOpen, unwritten == nil else { return }
    if error == nil, writer.hasSpan, let extents = withheld {
      withheld = nil
      outside.begin(recorded, in: writer.part, hashing: plan.algorithms(offered: recorded.offered), shared.spares)
      for extent in extents { outside.noteWritten(extent.segment, extent.sum) }
      outside.setReceived(outside.written.count)
    } else if !outside.isCancelled, writer.brought.upperBound - writer.start >= RetryPolicy.newGround {
      course.cut(.wrong("it was cut off, and nothing told how long it is"))
    } else {
      try? writer.part.truncate(to: recorded.segments.end)
    }
  }

  /// Takes back what a wrong part brought, in what may be claimed from now on.
  func withdraw(_ writer: BodyWriter, _ reason: String) {
    observer.transferRestarts(.wrongPart(reason))
    if withheld != nil {
      outside.setReceived(recorded.segments.count)
    } else {
      outside.takeBack(writer.brought)
      (recorded.segments, recorded.sums) = (outside.written, outside.sums)
    }
    // Bytes at the end are gone at once; a record that still claims them cannot be believed then.
    try? writer.part.truncate(to: recorded.segments.end)
  }

  /// Asks once more after a wrong part: with an overlap that is compared, or for the whole.
  func askForProof(_ reason: String) -> NextStep {
    wrongParts += 1
    mustReleaseRecord = true
    if withheld == nil { takingBack = Transfer.unclaim(recorded, observer) }
    if ask.compared == nil {
      again(.whole, .badAnswer(reason))
    } else {
      let (ask, reason) = Ask.first(for: recorded, mode: plan.resume, digestIsKnown: plan.digestIsKnown)
      again(ask.compared ?? ask, reason)
    }
    return .again
  }
}
