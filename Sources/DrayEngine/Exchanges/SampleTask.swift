// The task and the result of a comparison with a server's file.

public import DrayCore

public struct SampleTask: Sendable {
  public var request: TransferRequest
  /// The initial cookies, as lines in the Netscape format; with `nil`, no cookies are sent.
  public var cookies: [String]?
  public var limiters: [RateLimiter] = []
  /// Which of the server's digests count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// Statuses that count as temporary according to the user.
  public var retried: [StatusPattern] = []
  public var file: any StoredBytes
  /// The places to compare: ascending, disjoint, and each small enough for memory.
  public var places: [Segment]
  /// The server's version, as known before; `nil` if the first answer decides it.
  public var known: SampleReport?
  /// If the server's version meets this condition, nothing is compared. It counts until a version is known.
  package var unless: CacheCondition?
  /// The URLs that may answer once a version is known.
  var answering = Answering.sameOrigin
  /// Whether the server of `known` has already refused `If-Range`.
  var refusesIfRange = false
  /// Whether the first difference ends the comparison.
  var endsAtDifference = false
  public var isCancelled: @Sendable () -> Bool = { false }

  /// The URLs that may answer. If a digest will prove the result, any URL may.
  enum Answering {
    /// Any URL of the same origin. If the origin differs, a strong `ETag` is required, because an equal date proves
    /// nothing (P16).
    case sameOrigin
    /// Only this URL, because a validator is valid only for its own URL (P16).
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
  /// The places at which the file on disk differs from the server's.
  public var differing: [Segment] = []
}

public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server does not serve parts of the file.
  case notServed
  /// The server now has another version, or another server answered.
  case changed(StartOver)
  /// The server's version meets the condition of the task.
  case unchanged
  case failed(Failure)
  case cancelled
}
