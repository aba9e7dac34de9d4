// The URLs from which segments of a file are fetched, and the known facts about each URL.

internal import DrayCore

/// One of these URLs: the file's own URL or a mirror's.
struct SegmentSource {
  /// Whether the source's bytes may be mixed with the bytes on disk (P2).
  enum Standing: Equatable {
    case untried
    /// Samples from the source are being compared.
    case sampled
    /// The source has the same file.
    case proved
    /// The source is unusable, or has another file.
    case dropped
  }

  let request: TransferRequest
  /// The line over which the source is reached.
  let line: Int
  /// Whether this is the file's own URL, over whichever line.
  let isOwn: Bool
  /// The URL after redirects.
  var url: RequestURL
  /// The validators of the version at this server.
  var validators = Validators()
  var standing = Standing.untried
  /// The proof that the source's bytes need before they count.
  var proof = SourceProof.own
  var servesRanges = true
  /// The number of failures since the source last sent bytes.
  var strikes = 0
  /// The earliest time of the next connection to the source.
  var notBefore = 0.0
  /// The time until which the server asked to be left alone.
  var askedUntil = 0.0
  /// Whether the server answers `If-Range` with the whole file, so that `If-Match` is tried instead.
  var refusesIfRange = false

  /// The number of consecutive failures after which a mirror is dropped.
  static let patience = 3

  init(_ request: TransferRequest, line: Int = 0, isOwn: Bool = false) {
    (self.request, self.line, self.isOwn) = (request, line, isOwn)
    url = request.address
  }

  /// The condition that ties a segment to the version; if there is none, length and validators are compared.
  var condition: Ask.Condition {
    if refusesIfRange, let etag = validators.strongETag { return .ifMatch(etag) }
    return Ask.Condition(validators) ?? .unconditional
  }

  /// Records that a mirror's samples were not compared, because the line of that connection is away. As long as a
  /// mirror counts as being tested, no other one is.
  /// - Parameter until: When the line is tried again; `nil` if another line is used at once.
  mutating func isNotTried(until: Double?) {
    guard standing == .sampled else { return }
    standing = .untried
    if let until { notBefore = max(notBefore, until) }
  }

  /// Records a failure. The next connection waits as long as the server asks, and longer with each failure.
  mutating func strike(_ failure: Failure, now: Double) {
    // While the source is left alone, only requests fail that were sent before. They count together: if a server
    // refuses twelve of sixteen connections at once, the other four must not be left without successors for long.
    if now >= notBefore { strikes += 1 }
    if let wait = failure.retryAfter { askedUntil = max(askedUntil, now + Double(wait)) }
    notBefore = max(notBefore, askedUntil, now + min(30, 0.5 * Double(1 << min(strikes, 8))))
  }
}
