// The task and the result of a comparison with a server's file.

public import DrayCore

/// A comparison of samples.
public struct SampleTask: Sendable {
  /// The request for the file.
  public var request: TransferRequest
  /// The initial cookies, lines in Netscape's format; `nil` sends none.
  public var cookies: [String]?
  /// The rate limits.
  public var limiters: [RateLimiter] = []
  /// The mode that decides which digests of the server count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// The statuses that the user counts as temporary.
  public var retried: [StatusPattern] = []
  /// The file to compare.
  public var file: any StoredBytes
  /// The bytes to compare: ascending, disjoint, and each small enough for memory.
  public var places: [Segment]
  /// The known facts about the server's version; without them the first answer decides.
  public var known: SampleReport?
  /// The URLs that may answer once a version is known.
  var answering = Answering.sameOrigin
  /// Whether the server of `known` has already refused `If-Range`.
  var refusesIfRange = false
  /// Whether the first difference ends the comparison.
  var endsAtDifference = false
  /// Whether the comparison is cancelled.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// The URLs that may answer. If a digest will prove the result, all may.
  enum Answering {
    /// Any URL of the same origin. Another origin needs a strong `ETag`, because the same date proves nothing (P16).
    case sameOrigin
    /// Only this URL, because a validator applies only to its own URL (P16).
    case only(RequestURL)
    case any
  }

  /// Creates a comparison of `places` of `file`.
  public init(_ request: TransferRequest, _ file: any StoredBytes, _ places: [Segment]) {
    (self.request, self.file, self.places) = (request, file, places)
  }
}

/// The facts of a server's file, and the differing samples.
public struct SampleReport: Sendable {
  /// The first answer.
  public var response: ResponseRecord
  /// The length of the file.
  public var size: Int64
  /// The validators of its version.
  public var validators: Validators
  /// The server's digests of the file.
  public var offered: [SourcedDigest]
  /// The places where the file on disk differs.
  public var differing: [Segment] = []
}

/// The outcome of a comparison.
public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server serves no parts of the file.
  case notServed
  /// The server has another version now, or another server answered.
  case changed(StartOver)
  case failed(Failure)
  case cancelled
}
