// Where bytes are added behind kept ones: the joint moves back where it does not hold (P18), the file of another URL is compared
// before anything of it counts (P16), and a page that came instead changes nothing.

internal import Curl
internal import DrayCore
internal import Glibc
internal import Posix

extension FileTransfer {
  // MARK: A joint that does not hold

  /// The bytes before the joint are not the server's: what an interrupted connection left there is given up, and the rest is
  /// asked for from further back, over a fresh connection.
  func moveJointBack() {
    let repeated = hop.ask.repeated
    // What a repair keeps has the checksums of the file that was published.
    guard plan.onlyVersion == nil else {
      return intake.cut(.fail(AnswerDecision.unrepairable(subject, "its bytes before the damage are others")))
    }
    // Where nothing identifies the version, other bytes mean another version.
    guard !version.recorded.validators.isWeak, !repeated.isEmpty,
      let run = version.joint?.run
        ?? version.recorded.segments.segments.last(where: { $0.contains(repeated.lowerBound) })
    else { return again(.whole, .changed("the bytes already on disk differ")) }
    let step = (version.joint?.step ?? 0) + 1
    version.joint = (run, step)
    let lost = Joint.end(of: run, after: step)..<repeated.upperBound
    guard version.recorded.segments.count > Int64(lost.count) else {
      return again(.whole, .changed("the bytes already on disk differ"))
    }
    let reason = StartOver.wrongTail(Int64(lost.count))
    observer.transferRestarts(reason)
    outside.takeBack(lost)
    version.recorded.segments.remove(lost)
    version.recorded.sums.remove(lost)
    outside.setReceived(version.recorded.segments.count)
    // Bytes at the end are gone at once; a record that still claims them cannot be believed then.
    try? version.part?.truncate(to: version.recorded.segments.end)
    version.mustReleaseRecord = true
    version.takingBack = Transfer.unclaim(version.recorded, observer)
    let (ask, why) = Ask.first(for: version.recorded, mode: plan.resume, digestIsKnown: plan.digestIsKnown)
    again(ask, why, isFresh: true)
  }

  // MARK: The file of another URL

  /// Asks the URL that answered for places of what is kept, and then once more for the rest.
  func askForPlaces(_ places: [Segment]) {
    hop.rest = hop.ask
    hop.places = places
    askForPlace()
  }

  /// Asks the same URL for the next place, or for the rest. Redirects are not followed again: they may lead to yet another.
  private func askForPlace() {
    if let place = hop.places.first {
      let count = Int64(place.count)
      let condition = Ask.Condition(version.recorded.validators) ?? .unconditional
      hop.ask = .rest(from: place.lowerBound, to: place.upperBound, condition.comparing(count))
    } else {
      version.comparedURL = url
      hop.ask = hop.rest ?? hop.ask
      hop.rest = nil
    }
    intake.decide(.again)
  }

  /// Lets an answer with one of the places come.
  func compare(at position: Int64, until: Int64?, comparing: Int64) {
    guard let part = version.part else { return again(.whole, .partFileLost) }
    intake.usesBody()
    answer.mode = .compare(
      BodyWriter(
        part: part, at: position, until: until, total: nil, comparing: comparing,
        buffer: shared.buffers.take(large: false)))
  }

  /// Compares bytes of a place.
  func takePlace(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    switch writer.take(bytes) {
    case .taken where writer.isComparing:
      return .taken
    case .taken:
      endPlace(writer)
      hop.places.removeFirst()
      askForPlace()
      return intake.passOver(0)
    case .excess, .overrun:
      endPlace(writer)
      again(.whole, .badAnswer("a part continues past its end"))
    case .differs:
      endPlace(writer)
      again(.whole, .changed("the server that answers now has other bytes"))
    case .failed(let error):
      endPlace(writer)
      intake.cut(.fail(error.failure(path)))
    }
    return .abort
  }

  private func endPlace(_ writer: BodyWriter) {
    shared.buffers.giveBack(writer.surrender())
    answer.mode = .none
  }

  // MARK: A page instead

  /// Begins the whole, or ends with what is kept as it is if its first bytes are a web page's.
  /// - Returns: whether it began.
  func beginUnlessPage(_ bytes: UnsafeRawBufferPointer, until: Int64?, _ reason: StartOver?) -> Bool {
    guard let head = intake.head else { return false }
    answer.mode = .none
    if ContentCheck.isPage(Array(bytes.prefix(ContentCheck.pageLook)), head) {
      intake.cut(.fail(decision(head).pageInstead()))
      return false
    }
    begin(at: 0, until: until, total: until, comparing: 0, reason: reason, head)
    return intake.course.isOpen
  }

  /// Whether what is kept begins like a web page; looked at only where the answer says that it is one.
  func keepsPage(_ head: ResponseHead) -> Bool {
    guard head.status == 200, head.mediaType?.isHTML ?? false, let part = version.part,
      version.recorded.segments.segments.first?.lowerBound == 0
    else { return false }
    return withUnsafeTemporaryAllocation(byteCount: ContentCheck.pageLook, alignment: 1) { space in
      let count = (try? part.read(into: space, at: 0)) ?? 0
      return ContentCheck.isPage(Array(space.prefix(min(count, Int(version.recorded.segments.prefix)))), nil)
    }
  }
}
