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

  /// Takes back what a wrong part brought, in what may be claimed from now on.
  func withdraw(_ writer: BodyWriter, _ reason: String) {
    observer.transferRestarts(.wrongPart(reason))
    outside.takeBack(writer.brought)
    // Bytes at the end are gone at once; a record that still claims them cannot be believed then.
    try? writer.part.truncate(to: outside.written.end)
  }

  /// Asks once more after a wrong part: with an overlap that is compared, or for the whole.
  func askForProof(_ reason: String) -> NextStep {
    wrongParts += 1
    mustReleaseRecord = true
    (recorded.segments, recorded.sums) = (outside.written, outside.sums)
    takingBack = Transfer.unclaim(recorded, observer)
    if ask.compared == nil {
      again(.whole, .badAnswer(reason))
    } else {
      let (ask, reason) = Ask.first(for: recorded, mode: plan.resume, digestIsKnown: plan.digestIsKnown)
      again(ask.compared ?? ask, reason)
    }
    return .again
  }
}
