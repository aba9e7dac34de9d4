// Decides about the answer to a request for one segment, before its first byte is written.

/// The decision about an answer to the request for one segment, made from the head of the answer. When a file is
/// fetched over several connections, each of them requests a segment. This decision is stricter than
/// ``AnswerDecision``, because the version is already known, and only a part of the file is useful.
package struct SegmentAnswer: Sendable {
  /// What to do with the answer.
  package enum Verdict: Sendable, Equatable {
    /// Write the body. Close the connection at `until`, and drop later bytes.
    case write(until: Int64)
    /// The server sends the whole file, apparently of the same version, although the condition of the request is met. A
    /// request with another condition may get the part (R3).
    case conditionRefused
    /// The server's ranges cannot be used: it sends the whole file, apparently of the same version, or a part without a
    /// known end.
    case notServed
    /// The server has another version of the file (P2).
    case differs(StartOver)
    /// The answer contradicts itself about the part that it contains (R28). From now on, every part from this server is
    /// compared before it counts.
    case wrong(String)
    /// This answer cannot be used.
    case refused(Failure)
  }

  /// The requested bytes.
  package var asked: Segment
  /// The length of the file.
  package var size: Int64
  /// The validators of the file's version, as the answering server gives them.
  package var validators: Validators
  /// The digests of the file that the first server gave.
  package var offered: [SourcedDigest]
  /// Whether the first bytes of the answer will be compared with bytes on disk.
  package var isCompared: Bool
  /// The URL that answered, without secrets, for messages.
  package var subject: String
  /// Seconds since 1970, for a `Retry-After` that is a date.
  package var now: Int64
  /// The statuses that the user counts as temporary.
  package var retried: [StatusPattern]

  /// Creates the decision on one answer.
  package init(
    asked: Segment, size: Int64, validators: Validators, offered: [SourcedDigest] = [], isCompared: Bool = false,
    subject: String, now: Int64, retried: [StatusPattern] = []
  ) {
    self.offered = offered
    self.isCompared = isCompared
    self.asked = asked
    self.size = size
    self.validators = validators
    self.subject = subject
    self.now = now
    self.retried = retried
  }

  /// Decides on `head`.
  package func verdict(on head: ResponseHead) -> Verdict {
    switch head.status {
    case 206: partial(head)
    case 200: whole(head)
    case 416: unsatisfied(head)
    case 412: .differs(changed(head))
    default: .refused(StatusRule.failure(head, subject: subject, now: now, retried: retried))
    }
  }

  /// Decides about a 206, checking every field as for a resume.
  private func partial(_ head: ResponseHead) -> Verdict {
    if validators.strongETag != nil, head.validators.etag == nil {
      // A 206 must have the file's `ETag` (RFC 9110 §15.3.7). The version of a part without an `ETag` is unknown.
      return broken("a part of the file comes without its ETag")
    }
    guard validators.agree(with: head.validators) else { return .differs(changed(head)) }
    if let other = offered.difference(from: head.offeredDigests) { return .differs(.changed(other)) }
    let part: AnswerPart
    do throws(ContentRangeError) { part = try head.part() } catch { return broken(error.message) }
    let (lower, upper, total) = (part.range.lowerBound, part.range.upperBound, part.total)
    if total == nil, validators.strongETag == nil { return broken("it does not say how long the file is") }
    if let total, total != size { return .differs(.changed("its length was \(size) bytes and is \(total)")) }
    guard lower == asked.lowerBound else {
      return broken("a part starts at \(lower), not at \(asked.lowerBound)")
    }
    if let doubt = part.doubt(isCompared: isCompared) {
      if case .unknown = part.length { return .notServed }
      return .wrong(doubt)
    }
    return .write(until: min(upper, asked.upperBound))
  }

  /// Decides about a 200: the condition did not hold, or the server serves no ranges.
  private func whole(_ head: ResponseHead) -> Verdict {
    // The body is not written, so the answer only matters for what it says about the version. The version counts as
    // another one only if the validators contradict the known ones: an error page, such as "too many connections", says
    // nothing about the file.
    if head.validators == Validators(date: head.validators.date) { return .notServed }
    if validators.etag != nil, head.validators.etag == nil { return .notServed }
    guard validators.agree(with: head.validators) else { return .differs(changed(head)) }
    if !head.hasTransferEncoding, let length = try? ContentLength.parse(head.all("content-length")), length != size {
      return .differs(.changed("its length was \(size) bytes and is \(length)"))
    }
    return validators.strongETag != nil ? .conditionRefused : .notServed
  }

  private func unsatisfied(_ head: ResponseHead) -> Verdict {
    if case .unsatisfied(let total)? = try? ContentRange.parse(head.all("content-range")), total != size {
      return .differs(.changed("its length was \(size) bytes and is \(total)"))
    }
    return .refused(StatusRule.failure(head, subject: subject, now: now, retried: retried))
  }

  private func changed(_ head: ResponseHead) -> StartOver {
    .changed(validators.difference(from: head.validators) ?? "status \(head.status)")
  }

  private func broken(_ what: String) -> Verdict {
    .refused(
      Failure(
        .protocolViolation, subject, "the server's answer to the request for a part cannot be used (\(what))",
        advice: "\(.oneConnection) asks for one range only", recovery: .keep))
  }
}
