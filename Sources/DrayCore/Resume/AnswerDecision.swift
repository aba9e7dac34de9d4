// What is done with the head of an answer, before its first body byte is written: the second half of the
// resume ladder. libcurl checks very little of a range answer, so all of it is checked here.

/// What is done with an answer.
public enum AnswerAction: Sendable, Equatable {
  /// Write the body from `position` on. Bytes from `until` on, if known, are dropped with the
  /// connection. The first `comparing` bytes are not written but compared with those on disk. `total` is the
  /// length of the whole file. There is a reason if the part file is emptied first.
  case write(at: Int64, until: Int64?, total: Int64?, comparing: Int64 = 0, startOver: StartOver? = nil)
  /// Write the whole body, unless it begins like a web page: then the bytes on disk stay.
  case writeUnlessPage(until: Int64?, startOver: StartOver?)
  /// Nothing of this answer is used; ask once more.
  case askAgain(Ask, StartOver?)
  /// The answer does not prove the position of its bytes; ask again over a fresh connection.
  case askForProof(Ask)
  /// Compare these places on disk with the file at the URL that answered, before any byte of the rest counts.
  case compare([Segment])
  /// All bytes are on disk already.
  case complete
  /// The target has the server's version.
  case upToDate
  /// Nothing of this answer is used, and no other request is made.
  case stop(Failure)
}

/// The decision on the head of a final answer that is not a redirect.
public struct AnswerDecision: Sendable {
  /// The bytes on disk, and their version.
  public var recorded: Checkpoint
  /// What was asked for: the whole file, a part, or whether it has changed.
  public var asked: Ask
  /// Whether a digest will verify the result.
  public var digestIsKnown: Bool
  /// The length that the file must have, if known from elsewhere than the server.
  public var expectedSize: Int64?
  /// The most bytes that it may have.
  public var maxSize: SizeLimit?
  /// The type that the file must be of.
  public var expectedType: ExpectedType?
  /// The digest that the file must have, if the server's digests count.
  public var expectedDigest: DigestValue?
  /// What identifies the version that the file must be of; `nil` if any version will do.
  public var onlyVersion: Validators?
  /// The URL that answered; `nil` where it does not matter.
  public var answering: RequestURL?
  /// Whether places on disk were already compared with the file at ``answering``.
  public var isCompared = false
  /// Whether an earlier answer of this attempt was unusable because it did not prove the position of its bytes.
  public var hadWrongPart = false
  /// Whether no retry follows.
  public var isLastTry = false
  /// Whether an attempt since its user last asked for the file started over after a 416.
  public var hadUnsatisfied = false
  /// Whether the bytes on disk begin like a web page.
  public var keepsPage = false
  /// The URL that answered, without secrets, for messages.
  public var subject: String
  /// Seconds since 1970, for a `Retry-After` that is a date.
  public var now: Int64

  /// Creates the question.
  public init(
    recorded: Checkpoint, asked: Ask, digestIsKnown: Bool = false, expectedSize: Int64? = nil,
    maxSize: SizeLimit? = nil, expectedType: ExpectedType? = nil, expectedDigest: DigestValue? = nil,
    onlyVersion: Validators? = nil,
    subject: String, now: Int64
  ) {
    self.recorded = recorded
    self.asked = asked
    self.digestIsKnown = digestIsKnown
    self.expectedSize = expectedSize
    self.maxSize = maxSize
    self.expectedType = expectedType
    self.expectedDigest = expectedDigest
    self.onlyVersion = onlyVersion
    self.subject = subject
    self.now = now
  }

  /// Decides on `head`.
  public func action(on head: ResponseHead) -> AnswerAction {
    if let failure = isOfAnotherVersion(head) { return .stop(failure) }
    let action = rule(head)
    guard case .write(_, let until, let total, _, let reason) = action else { return action }
    if let failure = refusal(of: head, total: total) { return .stop(failure) }
    return mayBePageInstead(head) ? .writeUnlessPage(until: until, startOver: reason) : action
  }

  /// The reason why a file that could be received is not the wanted one.
  private func refusal(of head: ResponseHead, total: Int64?) -> Failure? {
    if let failure = maxSize?.refusal(ofLength: total, subject) { return failure }
    // Before a byte is written: what is on disk may be of the right file, and another mirror may have the rest.
    if let reason = ContentCheck(names: [], expected: expectedType, head: head).refusal {
      return Failure(
        .integrity, subject, reason, advice: "\(.info) shows the answer; it may be a login page", recovery: .keep)
    }
    if let expected = expectedDigest,
      let other = head.offeredDigests.best(of: expected.algorithm), other.digest != expected
    {
      return Failure(
        .integrity, subject,
        "the server has another file: its \(other.source.rawValue) is \(other.digest), expected \(expected.hex)",
        advice: "check the given digest; \(.verifyNone) ignores the server's digests", recovery: .keep)
    }
    guard let expectedSize, let total, total != expectedSize else { return nil }
    return Failure(
      .integrity, subject, "the server's file has \(total) bytes, expected \(expectedSize)",
      advice: "check the given size; the server may have another version", recovery: .keep)
  }

  /// Whether the answer is declared a web page and the bytes on disk are not one.
  private func mayBePageInstead(_ head: ResponseHead) -> Bool {
    head.status == 200 && head.isHTTP && head.mediaType?.isHTML ?? false && !recorded.segments.isEmpty && !keepsPage
      && recorded.provenance?.isPage != true
  }

  /// The failure for a web page instead of the rest: the bytes on disk stay, as after a 403.
  public func pageInstead() -> Failure {
    Failure(
      .authentication, subject, "a web page came instead of the file",
      advice: "if the session or the link expired: \(.cookie) gives new cookies, \(.setURL) a new link",
      httpStatus: 200, recovery: .keep)
  }

  /// Whether bytes of this answer would be of another version than the required one.
  private func isOfAnotherVersion(_ head: ResponseHead) -> Failure? {
    guard head.status == 200 || head.status == 206, let onlyVersion, !onlyVersion.isWeak,
      !onlyVersion.agree(with: head.validators)
    else { return nil }
    return AnswerDecision.unrepairable(subject, onlyVersion.difference(from: head.validators))
  }

  /// The failure of a repair whose server has another version of the file.
  public static func unrepairable(_ subject: String, _ difference: String?) -> Failure {
    Failure(
      .integrity, subject,
      "the server has another version of the file now\(difference.map { " (\($0))" } ?? ""), which cannot repair this one",
      advice: "the file is unchanged; remove it, and \(.retry) fetches the new version")
  }

  /// The rules for a file of any length.
  private func rule(_ head: ResponseHead) -> AnswerAction {
    switch (head.status, asked) {
    case (200, .whole): whole(head, nil)
    case (206, .whole), (206, .changed): uninvited(head)
    case (304, .changed): .upToDate
    case (200, .changed(let condition)): perhapsChanged(head, condition)
    case (200, .rest(let from, let to, let condition)): full(head, from: from, to: to, condition)
    case (206, .rest(let from, let to, let condition)): partial(head, from: from, to: to, condition)
    case (416, .rest): unsatisfied(head)
    case (304, .rest), (412, .rest): .askAgain(.whole, changed(head))
    case (let status, .rest) where StatusRule.mayRefuseRange(status, isLastTry: isLastTry):
      .askAgain(.whole, .rangeRefused(StatusRule.name(of: status)))
    default: .stop(StatusRule.failure(head, subject: subject, now: now))
    }
  }

  /// A 200: the whole file, from its first byte.
  private func whole(_ head: ResponseHead, _ reason: StartOver?) -> AnswerAction {
    do throws(ContentLengthError) {
      let length = head.hasTransferEncoding ? nil : try ContentLength.parse(head.all("content-length"))
      return .write(at: 0, until: length, total: length, startOver: reason)
    } catch {
      return .stop(broken(error.message))
    }
  }

  /// A 200 to a request for another version: some servers do not support conditions.
  private func perhapsChanged(_ head: ResponseHead, _ condition: CacheCondition) -> AnswerAction {
    let action = whole(head, nil)
    guard case .write(_, _, let total, _, _) = action, condition.isMet(by: head, length: total) else { return action }
    return .upToDate
  }

  /// A 206 that was not requested: valid only if it is the whole (RFC 9110 §15.3.7).
  private func uninvited(_ head: ResponseHead) -> AnswerAction {
    let part = try? head.part()
    guard let part, let total = part.total, part.range == 0..<total else {
      return .stop(broken("it sent a part of the file (206) to a request for the whole"))
    }
    // There is nothing on disk to compare it with.
    if let doubt = part.doubt(isCompared: false) { return .stop(broken(doubt)) }
    return .write(at: 0, until: total, total: total)
  }

  /// A 200 to a request for the rest.
  private func full(_ head: ResponseHead, from: Int64, to: Int64?, _ condition: Ask.Condition) -> AnswerAction {
    if let etag = condition.ifRange, etag == recorded.validators.strongETag, head.validators.etag == etag {
      // Some networks answer 200 to an If-Range that holds; If-Match is tried once (R3).
      return .askAgain(.rest(from: from, to: to, condition.matching(etag)), nil)
    }
    return whole(head, recorded.validators.agree(with: head.validators) ? .rangesNotServed : changed(head))
  }

  /// A 206 to a request for the rest: every field is checked.
  private func partial(_ head: ResponseHead, from: Int64, to: Int64?, _ condition: Ask.Condition) -> AnswerAction {
    func reject(_ what: String) -> AnswerAction { .askAgain(.whole, .badAnswer(what)) }

    let part: AnswerPart
    do throws(ContentRangeError) { part = try head.part() } catch { return reject(error.message) }
    let (lower, upper) = (part.range.lowerBound, part.range.upperBound)
    guard lower == from else { return reject("it starts at \(lower), not at \(from)") }
    let rule = ContinuationRule(
      recorded: recorded, repeated: asked.repeated, answering: answering, isProved: isCompared || digestIsKnown)
    let continuation = rule.verdict(on: head, total: part.total)
    if case .startOver(let reason) = continuation { return .askAgain(.whole, reason) }
    // Without a total it would be unknown whether this is all (P12).
    guard let total = part.total else { return reject("it does not say how long the file is") }
    // A body that may be of any bytes must prove itself once, by bytes that are on disk (R9, R28).
    if let doubt = part.doubt(isCompared: asked.isCompared, isWithheld: true) {
      guard !hadWrongPart, let ask = asked.compared else { return reject(doubt) }
      return .askForProof(ask)
    }
    if case .afterComparison(let places) = continuation { return .compare(places) }
    var comparing: Int64 = 0
    if case .overlap(let length, _, _) = condition {
      comparing = length
      guard upper >= from + length else { return reject("it is too short to compare") }
    }
    return .write(at: from, until: min(upper, to ?? upper), total: total, comparing: comparing)
  }

  /// A 416 to a request for the rest: complete, if it names the length that is on disk; otherwise start over, once (R15). This
  /// cannot loop, as a 416 to a request for the whole is an error.
  private func unsatisfied(_ head: ResponseHead) -> AnswerAction {
    func startOver(_ what: String) -> AnswerAction {
      // A server that answers so to every range would have each retry fetch the file from its start.
      hadUnsatisfied ? .stop(unsatisfiedAgain(what)) : .askAgain(.whole, .unsatisfied(what))
    }
    let have = recorded.segments.end
    guard case .unsatisfied(let total)? = try? ContentRange.parse(head.all("content-range")) else {
      return startOver("without the length of the file")
    }
    guard total == have, recorded.size ?? total == total, recorded.segments.isWhole(total) else {
      return startOver("it has \(total) bytes now, \(have) are on disk")
    }
    // Bytes of another URL must be compared, and a 416 has none. It may also omit the date; then only the length would
    // match, perhaps by chance.
    let isOwn = answering.map { recorded.provenance?.isOf($0) ?? false } ?? true
    let validators = recorded.validators
    let identified =
      validators.strongETag != nil
      ? validators.agree(with: head.validators)
      : validators.strongLastModified.map { Validators.isSame($0, head.validators.lastModified) } ?? false
    return identified && isOwn || digestIsKnown ? .complete : .askAgain(.whole, changed(head))
  }

  /// How this answer's version differs from the recorded one.
  private func changed(_ head: ResponseHead) -> StartOver {
    .changed(recorded.validators.difference(from: head.validators) ?? "status \(head.status)")
  }

  private func unsatisfiedAgain(_ what: String) -> Failure {
    Failure(
      .status, subject, "\(StartOver.unsatisfiedText) (\(what)), again after starting over",
      advice: "\(.retry) starts over once more", httpStatus: 416, recovery: .keep)
  }

  private func broken(_ reason: String) -> Failure {
    Failure(
      .protocolViolation, subject, "the server's answer violates the protocol: \(reason)",
      advice: "\(.info) shows the answer; try another mirror", recovery: .keep)
  }
}
