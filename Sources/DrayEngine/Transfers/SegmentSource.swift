// The URLs that the segments of one file come from, and what is known of each.

internal import DrayCore

/// One URL of a file: its own, or a mirror's.
struct SegmentSource {
  /// Whether its bytes may be mixed with those that are here (P2).
  enum Standing: Equatable {
    /// Nothing is known.
    case untried
    /// Samples of it are being compared.
    case sampled
    /// It has the same file.
    case proved
    /// It is of no use, or has another file.
    case dropped
  }

  /// The request.
  let request: TransferRequest
  /// Where it is asked: its own address, or where redirects led.
  var url: RequestURL
  /// What identifies the version, at this server.
  var validators = Validators()
  var standing = Standing.untried
  /// What makes its bytes count.
  var proof = SourceProof.own
  /// Whether it answers requests for segments.
  var servesRanges = true
  /// Failures since it last brought something.
  var strikes = 0
  /// No connection is opened before this time.
  var notBefore = 0.0
  /// Until when the server asked to be left alone.
  var askedUntil = 0.0
  /// Whether its `If-Range` is answered with the whole, so that `If-Match` is tried.
  var refusesIfRange = false

  /// Failures in a row after which a mirror is given up.
  static let patience = 3

  init(_ request: TransferRequest) {
    self.request = request
    url = request.address
  }

  /// What ties a segment to the version; where nothing does, its total and its validators must do.
  var condition: Ask.Condition {
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  /// Records a failure: the next connection waits, as long as the server asks or longer each time.
  mutating func strike(_ failure: Failure, now: Double) {
    strikes += 1
    if let wait = failure.retryAfter { askedUntil = max(askedUntil, now + Double(wait)) }
    notBefore = max(notBefore, askedUntil, now + min(30, 0.5 * Double(1 << min(strikes, 8))))
  }
}
