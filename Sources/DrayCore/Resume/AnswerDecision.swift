// The second half of the resume ladder: decides about an answer from its head, before the first byte of the body is
// written. libcurl checks little of the answer to a range request, so this code checks all of it.

/// What to do with an answer.
package enum AnswerAction: Sendable, Equatable {
  /// Write the body from `position` on. The connection is closed at `until`, unless that is `nil`, and later bytes are
  /// dropped. The first `comparing` bytes are not written but compared with bytes on disk. `total` is the length of the
  /// whole file. If `startOver` has a reason, the part file is emptied first.
  case write(at: Int64, until: Int64?, total: Int64?, comparing: Int64 = 0, startOver: StartOver? = nil)
  /// Write the whole body, unless its first bytes show that it is not the file
  /// (``AnswerDecision/refusal(of:start:)``); in that case the bytes on disk stay.
  case writeUnlessPage(until: Int64?, startOver: StartOver?)
  /// Discard this answer and send one more request.
  case askAgain(Ask, StartOver?)
  /// Send the request again over a new connection, because the answer does not prove where its bytes belong.
  case askForProof(Ask)
  /// Compare these places on disk with the file at the URL that answered; until then, no byte of the rest counts.
  case compare([Segment])
  /// All bytes are already on disk.
  case complete
  /// The bytes on disk are a whole answer, but nothing proves that the file ends where the answer ended.
  case endUnproved
  /// The target is already the server's version.
  case upToDate
  /// Discard this answer, and send no other request.
  case stop(Failure)
}

/// Decides about an answer from its head, after all redirects.
package struct AnswerDecision: Sendable {
  /// The bytes on disk, and their version.
  package var recorded: Checkpoint
  /// What was requested: the whole file, a part, or the file if it has changed.
  package var asked: Ask
  /// Whether a digest will verify the result.
  package var digestIsKnown: Bool
  /// The requirements on the file. They include no digest if the server's digests do not count.
  package var expected: ExpectedFile
  /// The URL that answered; `nil` if it does not matter.
  package var answering: RequestURL?
  /// The facts about the file from earlier answers; `nil` if there are none.
  package var linked: LinkedFile?
  /// Whether places on disk were already compared with the file at ``answering``.
  package var isCompared = false
  /// Whether an earlier answer of this attempt was discarded because it did not prove where its bytes belong.
  package var hadWrongPart = false
  /// How many bytes the last connection brought; `nil` if that is not known.
  package var given: Int64?
  /// Whether the job will not be retried.
  package var isLastTry = false
  /// The statuses that the user counts as temporary.
  package var retried: [StatusPattern] = []
  /// Whether an earlier attempt already started over because of a 416. A new request of the user sets this back.
  package var hadUnsatisfied = false
  /// The position at which the last answer ended, if it is unproved that the file ends there.
  package var doubtedEnd: Int64?
  /// Whether the bytes on disk begin like a web page.
  package var keepsPage = false
  /// Whether the user gives up the bytes on disk whatever the server sends (`--resume never`).
  package var givesUpKept = false
  /// The URL that answered, without secrets, for messages.
  package var subject: String
  /// The time in seconds since 1970, for a `Retry-After` that is a date.
  package var now: Int64

  /// Creates the decision on one answer.
  package init(
    recorded: Checkpoint, asked: Ask, digestIsKnown: Bool = false, expected: ExpectedFile = ExpectedFile(),
    subject: String, now: Int64
  ) {
    self.recorded = recorded
    self.asked = asked
    self.digestIsKnown = digestIsKnown
    self.expected = expected
    self.subject = subject
    self.now = now
  }

  /// Returns what to do after `head`.
  package func action(on head: ResponseHead) -> AnswerAction {
    if let failure = isOfAnotherVersion(head) { return .stop(failure) }
    let action = rule(head)
    guard case .write(_, let until, let total, _, let reason) = action else { return action }
    if let failure = refusal(of: head, total: total) { return .stop(failure) }
    guard replacesKept(head) else { return action }
    guard !keepsHTML || SoftErrorRule(recorded: recorded).mayBeSoftError(head) else { return action }
    return .writeUnlessPage(until: until, startOver: reason)
  }

  /// Whether the file on disk is a web page, so that a page may replace it.
  private var keepsHTML: Bool { keepsPage || recorded.provenance?.isPage == true }

  /// Returns why the user does not want the file of an answer that could be used otherwise; `nil` if the user wants it.
  private func refusal(of head: ResponseHead, total: Int64?) -> Failure? {
    if let failure = expected.maxSize?.refusal(ofLength: total, subject) { return failure }
    if let reason = linked?.difference(from: expected) {
      return Failure(
        .integrity, subject, "the server has another file: \(reason)",
        advice: "repeat the command, which asks for the file's name again", recovery: .keep)
    }
    // Nothing is written in that case: the bytes on disk may be those of the right file, and another mirror may have
    // the rest.
    if let reason = ContentCheck(names: [], expected: expected.type, head: head).refusal {
      return Failure(
        .integrity, subject, reason, advice: "\(.info) shows the answer; it may be a login page", recovery: .keep)
    }
    if let digest = expected.digest,
      let other = head.offeredDigests.best(of: digest.algorithm), other.digest != digest
    {
      return Failure(
        .integrity, subject,
        "the server has another file: its \(other.source.rawValue) is \(other.digest), expected \(digest.hex)",
        advice: ExpectedFile.advice("digest", isLocked: expected.isLocked), recovery: .keep)
    }
    guard let size = expected.size, let total, total != size else { return nil }
    return Failure(
      .integrity, subject, "the server's file has \(total) bytes, expected \(size)",
      advice: ExpectedFile.advice("size", isLocked: expected.isLocked), recovery: .keep)
  }

  /// Whether bytes on disk would be given up for this answer, although the user did not ask for that.
  private func replacesKept(_ head: ResponseHead) -> Bool {
    doubtedEnd == nil && !recorded.segments.isEmpty && !givesUpKept && head.status == 200 && head.isHTTP
  }

  /// Returns the number of first bytes that ``refusal(of:start:)`` needs. They may arrive one by one.
  package func startLook(_ head: ResponseHead) -> Int {
    let check = ContentCheck(names: [], expected: expected.type, head: head)
    return max(ContentCheck.pageLook, expected.type == nil ? 0 : check.lookLength)
  }

  /// Returns why an answer is not the file, by its first bytes; `nil` if they do not show that. In case of a failure,
  /// the bytes on disk are kept, as after a 403.
  /// - Parameter start: At least ``startLook(_:)`` bytes, or the whole body.
  package func refusal(of head: ResponseHead, start: [UInt8]) -> Failure? {
    let near = Array(start.prefix(ContentCheck.pageLook))
    if !keepsHTML, ContentCheck.isPage(near, head) { return insteadOfFile("a web page") }
    if SoftErrorRule(recorded: recorded).isSoftError(head, start: near) {
      return insteadOfFile(SoftErrorRule.words(head))
    }
    let check = ContentCheck(names: [], expected: expected.type, head: head)
    guard expected.type != nil, case .wrong(let reason) = check.verdict(start) else { return nil }
    return Failure(
      .integrity, subject, reason, advice: "\(.info) shows the answer; it may be a login page", recovery: .keep)
  }

  /// Returns the failure for an answer that came instead of the file. The bytes on disk are kept.
  private func insteadOfFile(_ what: String) -> Failure {
    Failure(
      .authentication, subject, "\(what) came instead of the file",
      advice: "session or link expired? \(.setURL); if this is the file now, \(.resumeNever) takes it",
      httpStatus: 200, recovery: .keep)
  }

  /// Returns the failure if a repair requires a certain version, and the answer has another one.
  private func isOfAnotherVersion(_ head: ResponseHead) -> Failure? {
    guard head.status == 200 || head.status == 206, let version = expected.version, !version.isWeak,
      !version.agree(with: head.validators)
    else { return nil }
    return AnswerDecision.unrepairable(subject, version.difference(from: head.validators))
  }

  /// Returns the failure of a repair whose server has another version of the file.
  package static func unrepairable(_ subject: String, _ difference: String?) -> Failure {
    Failure(
      .integrity, subject,
      "the server has another version of the file now\(difference.map { " (\($0))" } ?? ""), which cannot repair this one",
      advice: "the file is unchanged; remove it, and \(.retry) fetches the new version")
  }

  /// Decides without the requirements on length, type and digest.
  private func rule(_ head: ResponseHead) -> AnswerAction {
    if let doubtedEnd { return action(on: head, afterDoubtedEnd: doubtedEnd) }
    return switch (head.status, asked) {
    case (200, .whole): whole(head, nil)
    case (206, .whole), (206, .changed): uninvited(head)
    case (304, .changed): .upToDate
    case (200, .changed(let condition)): perhapsChanged(head, condition)
    case (200, .rest(let from, let to, let condition)): full(head, from: from, to: to, condition)
    case (206, .rest(let from, let to, let condition)): partial(head, from: from, to: to, condition)
    case (416, .rest): unsatisfied(head)
    case (304, .rest), (412, .rest): .askAgain(.whole, changed(head))
    case (403, _) where ServerWait(head, now: now).isLimit:
      .stop(StatusRule.failure(head, subject: subject, now: now, retried: retried))
    case (let status, .rest) where StatusRule.mayRefuseRange(status, isLastTry: isLastTry, retried: retried):
      .askAgain(.whole, .rangeRefused(StatusRule.name(of: status)))
    default: .stop(StatusRule.failure(head, subject: subject, now: now, retried: retried))
    }
  }

  /// Decides about a 206 as if any part had been requested.
  func part(_ head: ResponseHead) -> AnswerAction {
    guard case .rest(let from, let to, let condition) = asked else { return uninvited(head) }
    return partial(head, from: from, to: to, condition)
  }

  /// Decides about a 200 as if the whole file had been requested.
  func full(_ head: ResponseHead) -> AnswerAction { whole(head, nil) }

  /// Decides to write the whole file from its first byte.
  private func whole(_ head: ResponseHead, _ reason: StartOver?) -> AnswerAction {
    do throws(ContentLengthError) {
      let length = head.hasTransferEncoding ? nil : try ContentLength.parse(head.all("content-length"))
      return .write(at: 0, until: length, total: length, startOver: reason)
    } catch {
      return .stop(broken(error.message))
    }
  }

  /// Decides about a 200 to a request for the file if it has changed. Some servers ignore the condition of such a
  /// request.
  private func perhapsChanged(_ head: ResponseHead, _ condition: CacheCondition) -> AnswerAction {
    let action = whole(head, nil)
    guard case .write(_, _, let total, _, _) = action, condition.isMet(by: head, length: total) else { return action }
    return .upToDate
  }

  /// Decides about a 206 that was not requested, which is valid only if it is the whole file (RFC 9110 §15.3.7).
  private func uninvited(_ head: ResponseHead) -> AnswerAction {
    let part = try? head.part()
    guard let part, let total = part.total, part.range == 0..<total else {
      return .stop(broken("it sent a part of the file (206) to a request for the whole"))
    }
    // A 206 without a request cannot continue bytes on disk, because these could not be compared.
    if let doubt = part.doubt(isCompared: false) { return .stop(broken(doubt)) }
    return .write(at: 0, until: total, total: total)
  }

  /// Decides about a 200 to a request for the rest.
  private func full(_ head: ResponseHead, from: Int64, to: Int64?, _ condition: Ask.Condition) -> AnswerAction {
    if let etag = condition.ifRange, etag == recorded.validators.strongETag, head.validators.etag == etag {
      // Some networks answer with 200 although the `If-Range` holds, so `If-Match` is tried once (R3).
      return .askAgain(.rest(from: from, to: to, condition.matching(etag)), nil)
    }
    return whole(head, recorded.validators.agree(with: head.validators) ? .rangesNotServed : changed(head))
  }

  /// Decides about a 206 to a request for the rest, checking every field.
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
    // Without the total length, nobody can tell whether the file is complete (P12).
    guard let total = part.total else { return reject("it does not say how long the file is") }
    // It is not certain where the bytes of the answer belong, so once, they must match bytes on disk (R9, R28).
    if let doubt = part.doubt(isCompared: asked.isCompared, isWithheld: true) {
      guard !hadWrongPart, let ask = asked.compared(after: given) else { return reject(doubt) }
      return .askForProof(ask)
    }
    if case .afterComparison(let places) = continuation { return .compare(places) }
    var comparing: Int64 = 0
    if case .overlap(let length, _, _) = condition {
      comparing = length
      guard upper >= from + length else {
        // Some servers limit the number of bytes in one answer. In that case fewer bytes are repeated, if something
        // else ties the rest to the version.
        let isIdentified = condition.isTied || digestIsKnown
        guard isIdentified, let less = asked.comparingLess(after: upper - from) else {
          return reject("it is too short to compare")
        }
        return .askAgain(less, nil)
      }
    }
    return .write(at: from, until: min(upper, to ?? upper), total: total, comparing: comparing)
  }

  /// Decides about a 416 to a request for the rest. The file is complete if the 416 names the length on disk, and
  /// validators or a digest prove the version. In any other case, the file starts over, but only once (R15). This
  /// cannot go on for ever, because a 416 to a request for the whole file is an error.
  private func unsatisfied(_ head: ResponseHead) -> AnswerAction {
    func startOver(_ what: String) -> AnswerAction {
      // At the second time, the job stops: if a server answers every range with 416, each retry would fetch the file
      // from its start.
      hadUnsatisfied ? .stop(unsatisfiedAgain(what)) : .askAgain(.whole, .unsatisfied(what))
    }
    let have = recorded.segments.end
    guard case .unsatisfied(let total)? = try? ContentRange.parse(head.all("content-range")) else {
      return startOver("without the length of the file")
    }
    guard total == have, recorded.size ?? total == total, recorded.segments.isWhole(total) else {
      return startOver("it has \(total) bytes now, \(have) are on disk")
    }
    // Bytes from another URL would have to be compared, but a 416 brings no bytes. If the answer has no date, only the
    // length matches, which may be chance.
    let isOwn = answering.map { recorded.provenance?.isOf($0) ?? false } ?? true
    let validators = recorded.validators
    let identified =
      validators.strongETag != nil
      ? validators.agree(with: head.validators)
      : validators.strongLastModified.map { Validators.isSame($0, head.validators.lastModified) } ?? false
    return identified && isOwn || digestIsKnown ? .complete : .askAgain(.whole, changed(head))
  }

  /// Returns how this answer's version differs from the recorded one.
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
      advice: "\(.info) shows the answer", recovery: .keep)
  }
}
