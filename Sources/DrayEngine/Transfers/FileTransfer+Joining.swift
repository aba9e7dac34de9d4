// Continues kept bytes: moves a failed joint back (P18), compares the file at another URL before its bytes count (P16),
// and ignores a web page that is sent in place of the file.

internal import Curl
internal import DrayCore

extension FileTransfer {
  // MARK: A joint that fails

  /// Moves the joint back, because the bytes before the joint differed. Gives up the last bytes of the interrupted
  /// connection, and requests the rest from further back over a new connection.
  func moveJointBack() {
    let repeated = current.ask.repeated
    // The bytes that a repair keeps match the checksums of the published file, so this answer is of another version.
    guard plan.expected.version == nil else {
      return exchange.receiver.cut(.fail(AnswerDecision.unrepairable(subject, "its bytes before the damage differ")))
    }
    // Without a validator, differing bytes mean another version.
    guard !version.recorded.validators.isWeak, !repeated.isEmpty,
      let run = version.joint?.run
        ?? version.recorded.segments.segments.last(where: { $0.contains(repeated.lowerBound) })
    else { return again(.whole, .changed("the bytes already on disk differ")) }
    // The answer may be wrong, so give up bytes on disk only if a second connection confirms the answer.
    guard version.joint != nil || version.wrongParts > 0 else {
      version.wrongParts = 1
      return again(current.ask, nil, isFresh: true)
    }
    let step = (version.joint?.step ?? 0) + 1
    version.joint = (run, step)
    var lost = Joint.end(of: run, after: step, unit: version.part?.units?.unit ?? 1)..<repeated.upperBound
    guard version.recorded.segments.count > Int64(lost.count), !lost.isEmpty else {
      return again(.whole, .changed("the bytes already on disk differ"))
    }
    let reason = StartOver.wrongTail(Int64(lost.count))
    observer.transferRestarts(reason)
    lost = outside.takeBack(lost)
    version.recorded.segments.remove(lost)
    version.recorded.sums.remove(lost)
    outside.setReceived(version.recorded.segments.count)
    // The file is truncated now, so first reduce the record, which still covers these bytes.
    try? version.part?.truncate(to: version.recorded.segments.end)
    version.mustReleaseRecord = true
    if let part = version.part { version.takingBack = Transfer.reduceRecord(to: version.recorded, in: part, observer) }
    let (ask, why) = firstAsk()
    again(ask, why, isFresh: true)
  }

  // MARK: The file of another URL

  /// Requests samples of the kept bytes from the URL that answered, and then requests the rest again.
  func askForPlaces(_ places: [Segment]) {
    current.rest = current.ask
    current.places = version.part?.comparable(places) ?? places
    askForPlace()
  }

  /// Requests the next sample, or the rest, from the same URL. Redirects are not followed again, because they may lead
  /// elsewhere.
  private func askForPlace() {
    if let place = current.places.first {
      let count = Int64(place.count)
      let condition = Ask.Condition(version.recorded.validators) ?? .unconditional
      current.ask = .rest(from: place.lowerBound, to: place.upperBound, condition.comparing(count))
    } else {
      version.comparedURL = url
      current.ask = current.rest ?? current.ask
      current.rest = nil
    }
    exchange.receiver.decide(.again)
  }

  func compare(at position: Int64, until: Int64?, comparing: Int64) {
    guard let part = version.part else { return again(.whole, .partFileLost) }
    exchange.receiver.usesBody()
    answer.mode = .compare(
      BodyWriter(
        part: part, at: position, until: until, total: nil, comparing: comparing,
        buffer: shared.buffers.take(large: false)))
  }

  func takePlace(_ bytes: UnsafeRawBufferPointer, _ writer: BodyWriter) -> BodyVerdict {
    switch writer.take(bytes) {
    case .taken where writer.isComparing:
      return .taken
    case .taken:
      endPlace(writer)
      current.places.removeFirst()
      askForPlace()
      return exchange.receiver.passOver(0)
    case .excess, .overrun:
      endPlace(writer)
      again(.whole, .badAnswer("a part continues past its end"))
    case .differs:
      endPlace(writer)
      again(.whole, .changed("the server that answers now has other bytes"))
    case .failed(let error):
      endPlace(writer)
      exchange.receiver.cut(.fail(error))
    }
    return .abort
  }

  private func endPlace(_ writer: BodyWriter) {
    shared.buffers.giveBack(writer.surrender())
    answer.mode = .none
  }

  // MARK: A page instead

  /// Gathers `count` first bytes of an answer that would replace the bytes on disk, and then begins the file. libcurl
  /// may deliver them one by one.
  func inspect(
    _ bytes: UnsafeRawBufferPointer, _ count: Int, until: Int64?, _ reason: StartOver?
  ) -> BodyVerdict {
    let gathered = answer.start.count + bytes.count
    guard gathered >= count || until.map({ Int64(gathered) >= $0 }) ?? false else {
      exchange.note(bytes.count)
      answer.start += bytes
      return .taken
    }
    guard beginUnlessPage(answer.start + bytes, until: until, reason) else { return .abort }
    return receive(body: bytes)
  }

  /// Decides about an answer that ended before its first bytes were gathered.
  func inspectWhole(until: Int64?, _ reason: StartOver?) {
    guard let head = exchange.receiver.head else { return }
    guard !answer.start.isEmpty else {
      _ = beginUnlessPage([], until: until, reason)
      return
    }
    if let failure = decision(head).refusal(of: head, start: answer.start) {
      return exchange.receiver.cut(.fail(failure))
    }
    // No byte may be written before the store has given up the bytes on disk, and the answer cannot wait for that any
    // more, so the file is requested once more. This time, it is begun before its end.
    guard version.shortAnswer == nil else { return }
    version.shortAnswer = answer.start.count
    again(.whole, reason)
  }

  /// Begins to write the whole file, unless its first bytes show that the answer is not the file. In that case, ends the
  /// answer and keeps the bytes on disk.
  /// - Returns: Whether the file was begun.
  private func beginUnlessPage(_ start: [UInt8], until: Int64?, _ reason: StartOver?) -> Bool {
    guard let head = exchange.receiver.head else { return false }
    answer.mode = .none
    if let failure = decision(head).refusal(of: head, start: start) {
      exchange.receiver.cut(.fail(failure))
      return false
    }
    begin(at: 0, until: until, total: until, comparing: 0, reason: reason, head)
    return exchange.receiver.course.isOpen
  }

  /// Whether the kept bytes begin like a web page. The bytes are read only if the answer would replace them.
  func keepsPage(_ head: ResponseHead) -> Bool {
    guard head.status == 200, let part = version.part,
      version.recorded.segments.segments.first?.lowerBound == 0
    else { return false }
    return withUnsafeTemporaryAllocation(byteCount: ContentCheck.pageLook, alignment: 1) { space in
      let count = (try? part.read(into: space, at: 0)) ?? 0
      return ContentCheck.isPage(Array(space.prefix(min(count, Int(version.recorded.segments.prefix)))), nil)
    }
  }
}
