// Decides which jobs may be transferred in a batch of small files.

extension Job {
  /// Whether an attempt at the job may be one of a batch of small files: a plain GET over HTTP from the first byte, and
  /// no option that needs an extra step. The answer decides the rest.
  public var fitsBatch: Bool {
    guard isAtStart, specification.isPlain, specification.queue == nil else { return false }
    return specification.request.fitsBatch && specification.options.fitBatch
  }

  /// No earlier attempt counts.
  private var isAtStart: Bool {
    guard publishing == nil, checkpoint.segments.isEmpty, checkpoint.size == nil else { return false }
    guard attempts <= 1, retry.used == 0, failure == nil else { return false }
    return ownRequest == nil
  }
}

extension TransferRequest {
  /// Whether the answer only has to be kept. Credentials, cookies, a pace and other options need the steps of an
  /// attempt.
  fileprivate var fitsBatch: Bool {
    guard method == "GET", url.scheme == "http" || url.scheme == "https" else { return false }
    guard credentials == nil, netrcFile == nil, authentication == nil, cookies == nil else { return false }
    guard signature == nil, schemes == nil, pace == nil else { return false }
    return jitter == nil
  }
}

extension JobOptions {
  /// No bytes have to be held back, compared or checked in transit.
  fileprivate var fitBatch: Bool {
    guard rateLimit == nil, maxSize == nil, expectedType == nil, allowedTypes == nil else { return false }
    return pieces == nil && verify != .require
  }
}
