// The URLs of a file's segments, and the facts about each.

internal import DrayCore

/// A URL of a file: its own, or a mirror's.
struct SegmentSource {
  /// Whether its bytes may be mixed with those on disk (P2).
  enum Standing: Equatable {
    /// Not tested.
    case untried
    /// Its samples are being compared.
    case sampled
    /// It has the same file.
    case proved
    /// It is unusable, or has another file.
    case dropped
  }

  /// The request.
  let request: TransferRequest
  /// Its URL, after redirects.
  var url: RequestURL
  /// The validators of the version at this server.
  var validators = Validators()
  var standing = Standing.untried
  /// The proof that makes its bytes count.
  var proof = SourceProof.own
  /// Whether it serves segments.
  var servesRanges = true
  /// The number of failures since its last bytes.
  var strikes = 0
  /// The earliest time of its next connection.
  var notBefore = 0.0
  /// The time until which the server asked to wait.
  var askedUntil = 0.0
  /// Whether it answers `If-Range` with the whole, so that `If-Match` is tried.
  var refusesIfRange = false

  /// The number of consecutive failures after which a mirror is dropped.
  static let patience = 3

  init(_ request: TransferRequest) {
    self.request = request
    url = request.address
  }

  /// The condition that ties a segment to the version. Without one, the total and the validators are compared.
  var condition: Ask.Condition {
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  /// Records a failure. The next connection waits as long as the server asks, or longer each time.
  mutating func strike(_ failure: Failure, now: Double) {
    strikes += 1
    if let wait = failure.retryAfter { askedUntil = max(askedUntil, now + Double(wait)) }
    notBefore = max(notBefore, askedUntil, now + min(30, 0.5 * Double(1 << min(strikes, 8))))
  }
}
