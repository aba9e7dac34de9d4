// What is compared with a server's file, and what came of it.

public import DrayCore

/// A comparison of samples.
public struct SampleTask: Sendable {
  /// What the file is asked for with.
  public var request: TransferRequest
  /// The cookies to begin with, lines in Netscape's format; `nil` is to send none.
  public var cookies: [String]?
  /// The limits on its rate.
  public var limiters: [RateLimiter] = []
  /// Which digests of the server count.
  public var verify = VerifyMode.offered
  /// Whether a digest will prove the result.
  public var digestIsKnown = false
  /// The file that is compared.
  public var file: any StoredBytes
  /// The bytes that are compared: ascending, disjoint, and few enough to be held in memory each.
  public var places: [Segment]
  /// What is known of the server's version; without it, the first answer decides.
  public var known: SampleReport?
  /// Which URLs may answer once a version is known.
  var answering = Answering.sameOrigin
  /// Whether `known` has the condition of `If-Range` refused already.
  var refusesIfRange = false
  /// Whether the first difference ends the comparison.
  var endsAtDifference = false
  /// Whether it is still wanted.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Which URLs may answer. If a digest will prove the result, all may.
  enum Answering {
    /// Another origin needs a strong `ETag`: that its date is the same proves nothing (P16).
    case sameOrigin
    /// A validator means something for its own URL only (P16).
    case only(RequestURL)
    case any
  }

  /// A comparison of `places` of `file`.
  public init(_ request: TransferRequest, _ file: any StoredBytes, _ places: [Segment]) {
    (self.request, self.file, self.places) = (request, file, places)
  }
}

/// What a server said of its file, and which samples differ.
public struct SampleReport: Sendable {
  /// The first answer.
  public var response: ResponseRecord
  /// The length of the file.
  public var size: Int64
  /// What identifies its version.
  public var validators: Validators
  /// The server's digests of it.
  public var offered: [SourcedDigest]
  /// The places at which the file that is here has other bytes.
  public var differing: [Segment] = []
}

/// How a comparison ended.
public enum SampleEnd: Sendable {
  case compared(SampleReport)
  /// The server serves no parts of the file.
  case notServed
  /// The server has another version by now, or it is another server that answers.
  case changed(StartOver)
  case failed(Failure)
  case cancelled
}
