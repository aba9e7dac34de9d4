// Decides when the end of an answer without a length proves that the file ends there. The protocol alone does not: if a
// stream of HTTP/2 or HTTP/3 is reset without an error, libcurl reports it as one that has ended (RFC 9113 §8.1).

/// Proves the end of a file that came without a length over a multiplexed connection. The bytes after the end are
/// requested over HTTP/1.1, in which a chunked body marks its end; if the server does not speak HTTP/1.1, they are
/// requested over the same protocol as before.
package struct EndProof: Sendable, Equatable {
  /// The position where an answer ended, while it is in doubt whether the file ends there; otherwise `nil`.
  package private(set) var doubted: Int64?
  /// Whether the answer ended with an error. If so, the file counts as complete only after a proof.
  package private(set) var isBroken = false
  /// Whether the present request is made over HTTP/1.1.
  package private(set) var isOverHTTP1 = false
  private var asked = 0

  /// The maximum number of requests for a proof, in case a server sends more bytes each time (P13).
  static let patience = 3

  /// Creates the value for an answer that has not ended.
  package init() {}

  /// Decides at the end of an answer.
  /// - Parameters:
  ///   - end: The number of bytes of the answer.
  ///   - mayAsk: Whether another request is possible: the request may be repeated, and the bytes can be compared.
  ///   - isBroken: Whether the answer ended with an error.
  ///   - isFree: Whether the request may use any version of HTTP.
  /// - Returns: Whether the bytes after `end` must be requested. If the result is `false` and the answer did not end
  ///   with an error, the file counts as complete, but its length is not verified.
  package mutating func mustAsk(at end: Int64, mayAsk: Bool, isBroken: Bool = false, isFree: Bool = true) -> Bool {
    // At the second time, a server without ranges has just sent the same bytes again.
    guard mayAsk, end > 0, doubted != end, asked < EndProof.patience else { return false }
    isOverHTTP1 = isFree && asked == 0
    (doubted, self.isBroken, asked) = (end, isBroken, asked + 1)
    return true
  }

  /// Records that a request got no answer.
  /// - Returns: Whether to repeat the request, because the server may not speak HTTP/1.1.
  package mutating func mayAskAgain() -> Bool {
    defer { isOverHTTP1 = false }
    return isOverHTTP1
  }
}

extension AnswerDecision {
  /// Decides about the answer to a request for the bytes after `end`, where the last answer ended.
  ///
  /// | answer | consequence |
  /// |---|---|
  /// | 206, an overlap to compare | bytes after the end are added; the total proves the end |
  /// | 416 with the length | complete, or cut if the file is longer |
  /// | 200 | the bytes on disk are compared, and later bytes added |
  /// | another version, or any other | nothing proves the end |
  func action(on head: ResponseHead, afterDoubtedEnd end: Int64) -> AnswerAction {
    let isSame = recorded.validators.agree(with: head.validators)
    switch head.status {
    case 206:
      if case .write = part(head) { return part(head) }
    case 416:
      guard case .unsatisfied(let total)? = try? ContentRange.parse(head.all("content-range")), isSame else { break }
      if total == end { return .complete }
      guard total > end else { break }
      return .stop(
        Failure(
          .network, subject, "the answer ended at byte \(end) of \(total)", advice: "\(.run) continues from there",
          recovery: .retry))
    case 200:
      guard isSame, case .write(_, let until, let total, _, _) = full(head), total ?? end >= end else { break }
      return .write(at: 0, until: until, total: total, comparing: end)
    default:
      break
    }
    return .endUnproved
  }
}
