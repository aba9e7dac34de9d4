// The answer to the first request for a sample of a file of which nothing is known yet.

extension SegmentAnswer {
  /// What the first answer comes to.
  public enum First: Sendable, Equatable {
    /// It brings the sample, of a file of this length.
    case begins(size: Int64)
    /// Parts of the file are not to be had, or not in a way that can be used.
    case notServed
    /// The server refuses.
    case refused(Failure)
  }

  /// Decides on the head of the first answer, before its body is read.
  /// - Parameters:
  ///   - asked: the bytes that were asked for.
  ///   - subject: the URL that answered, without secrets, for messages.
  ///   - now: seconds since 1970, for a `Retry-After` that is a date.
  public static func first(on head: ResponseHead, asked: Segment, subject: String, now: Int64) -> First {
    switch head.status {
    case 206:
      guard let part = try? head.part(), part.range == asked, let total = part.total,
        part.doubt(isCompared: true) == nil
      else { return .notServed }
      return .begins(size: total)
    // An empty file has no part that could be asked for.
    case 200, 416: return .notServed
    default: return .refused(StatusRule.failure(head, subject: subject, now: now))
    }
  }
}
