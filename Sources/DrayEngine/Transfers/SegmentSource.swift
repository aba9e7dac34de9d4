// The URLs of a file's segments, and the facts about each.

internal import DrayCore

/// A URL of a file: the file's own, or a mirror's.
struct SegmentSource {
  /// Whether the source's bytes may be mixed with the bytes on disk (P2).
  enum Standing: Equatable {
    case untried
    /// The samples are being compared.
    case sampled
    /// The source has the same file.
    case proved
    /// The source is unusable, or has another file.
    case dropped
  }

  let request: TransferRequest
  /// After redirects.
  var url: RequestURL
  /// The validators of the version at this server.
  var validators = Validators()
  var standing = Standing.untried
  /// Makes the source's bytes count.
  var proof = SourceProof.own
  var servesRanges = true
  /// Failures since the last bytes.
  var strikes = 0
  /// The earliest time of the next connection.
  var notBefore = 0.0
  /// The server asked to wait until then.
  var askedUntil = 0.0
  /// Whether the server answers `If-Range` with the whole file, so that `If-Match` is tried.
  var refusesIfRange = false

  /// Consecutive failures after which a mirror is dropped.
  static let patience = 3

  init(_ request: TransferRequest) {
    self.request = request
    url = request.address
  }

  /// Ties a segment to the version. Without a condition, the total and the validators are compared.
  var condition: Ask.Condition {
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  /// The next connection waits as long as the server asks, or longer each time.
  mutating func strike(_ failure: Failure, now: Double) {
    strikes += 1
    if let wait = failure.retryAfter { askedUntil = max(askedUntil, now + Double(wait)) }
    notBefore = max(notBefore, askedUntil, now + min(30, 0.5 * Double(1 << min(strikes, 8))))
  }
}
