// The task and the result of a comparison with a server's file.

public import DrayCore

public struct SampleTask: Sendable {
  public var request: TransferRequest
  /// Initial cookies, as lines in Netscape's format; `nil` sends none.
  public var cookies: [String]?
  public var limiters: [RateLimiter] = []
  /// Decides which digests of the server count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// Statuses that the user counts as temporary.
  public var retried: [StatusPattern] = []
  public var file: any StoredBytes
  /// Ascending, disjoint, and each small enough for memory.
  public var places: [Segment]
  /// The known facts about the server's version; `nil` if the first answer decides them.
  public var known: SampleReport?
  /// Applies once a version is known.
  var answering = Answering.sameOrigin
  /// Whether the server of `known` has already refused `If-Range`.
  var refusesIfRange = false
  /// Whether the first difference ends the comparison.
  var endsAtDifference = false
  public var isCancelled: @Sendable () -> Bool = { false }

  /// The URLs that may answer. If a digest will prove the result, any URL may answer.
  enum Answering {
    /// Any URL of the same origin. Another origin needs a strong `ETag`, because the same date proves nothing (P16).
    case sameOrigin
    /// Only this URL, because a validator applies only to its own URL (P16).
    case only(RequestURL)
    case any
  }

  public init(_ request: TransferRequest, _ file: any StoredBytes, _ places: [Segment]) {
    (self.request, self.file, self.places) = (request, file, places)
  }
}

public struct SampleReport: Sendable {
  public var response: ResponseRecord
  public var size: Int64
  public var validators: Validators
  public var offered: [SourcedDigest]
  /// Where the file on disk differs.
  public var differing: [Segment] = []
}

public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server serves no parts of the file.
  case notServed
  /// The server has another version now, or another server answered.
  case changed(StartOver)
  case failed(Failure)
  case cancelled
}
