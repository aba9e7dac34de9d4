// Decides when the end of an answer without length proves the end of the file, where the protocol's own end cannot be
// seen: libcurl reports a stream of HTTP/2 or HTTP/3 that was reset without error like one that ended (RFC 9113 §8.1).

/// The proof of the end of an answer without length, on a multiplexed connection. The bytes after it are requested over
/// HTTP/1.1, where a chunked body shows its end; over the same protocol if the server speaks no other.
public struct EndProof: Sendable, Equatable {
  /// The end of an answer that is in doubt; `nil` if none is.
  public private(set) var doubted: Int64?
  /// Whether the answer ended with an error. Without a proof, it does not count as complete.
  public private(set) var isBroken = false
  /// Whether the present request is made over HTTP/1.1.
  public private(set) var isOverHTTP1 = false
  /// The number of requests for a proof.
  private var asked = 0

  /// The maximum number of requests for a proof, for a server that brings more with each (P13).
  static let patience = 3

  /// Creates the proof of an answer that has not ended.
  public init() {}

  /// Decides at the end of an answer.
  /// - Parameters:
  ///   - end: The number of bytes.
  ///   - mayAsk: Whether another request is possible: it is safe, and its bytes can be compared.
  ///   - isBroken: Whether the answer ended with an error.
  ///   - isFree: Whether any version of HTTP may be used.
  /// - Returns: Whether the bytes after `end` must be requested. Otherwise, if it is not broken, the file counts as
  ///   complete, and its length as unverified.
  public mutating func mustAsk(at end: Int64, mayAsk: Bool, isBroken: Bool = false, isFree: Bool = true) -> Bool {
    // A server without ranges has sent the same once more.
    guard mayAsk, end > 0, doubted != end, asked < EndProof.patience else { return false }
    isOverHTTP1 = isFree && asked == 0
    (doubted, self.isBroken, asked) = (end, isBroken, asked + 1)
    return true
  }

  /// Records that a request brought no answer.
  /// - Returns: Whether it is repeated, because the server may not speak HTTP/1.1.
  public mutating func mayAskAgain() -> Bool {
    defer { isOverHTTP1 = false }
    return isOverHTTP1
  }
}

extension AnswerDecision {
  /// Decides on the answer to a request for the bytes after `end`, where all bytes of the last answer end.
  ///
  /// | answer | consequence |
  /// |---|---|
  /// | 206, an overlap to compare | bytes after the end are added; the total proves the end |
  /// | 416 with the length | complete, or cut if the file is longer |
  /// | 200 | the bytes on disk are compared, and those after them added |
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
