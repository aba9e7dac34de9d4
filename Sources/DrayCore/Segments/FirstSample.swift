// Decides about the first answer of a server when nothing is known about the file and only a sample was requested.

extension SegmentAnswer {
  /// The meaning of the first answer.
  package enum First: Sendable, Equatable {
    /// The answer contains the sample of a file of this length.
    case begins(size: Int64)
    /// The server does not serve parts of the file that could be used.
    case notServed
    /// The server refuses the request.
    case refused(Failure)
  }

  /// Decides on the head of the first answer, before its body is read.
  /// - Parameters:
  ///   - asked: The requested bytes.
  ///   - subject: The URL that answered, without secrets, for messages.
  ///   - now: Seconds since 1970, for a `Retry-After` that is a date.
  ///   - retried: The statuses that the user counts as temporary.
  package static func first(
    on head: ResponseHead, asked: Segment, subject: String, now: Int64, retried: [StatusPattern] = []
  ) -> First {
    switch head.status {
    case 206:
      guard let part = try? head.part(), part.range == asked, let total = part.total,
        part.doubt(isCompared: true) == nil
      else { return .notServed }
      return .begins(size: total)
    // A server answers 416 for any range of an empty file.
    case 200, 416: return .notServed
    default: return .refused(StatusRule.failure(head, subject: subject, now: now, retried: retried))
    }
  }
}
