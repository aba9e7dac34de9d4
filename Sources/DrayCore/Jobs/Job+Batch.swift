// Decides which jobs may be transferred in a batch of small files.

extension Job {
  /// Whether a batch of small files may include the job: a plain GET over HTTP from the first byte, without options
  /// that need an extra step. Digests are compared while the bytes are in memory, and a length with the head of the
  /// answer. Whether the job stays in the batch depends on the server's answer.
  public var fitsBatch: Bool {
    guard isAtStart, specification.startsPlain, specification.queue == nil else { return false }
    return specification.request.fitsBatch && specification.options.fitBatch
  }

  /// Whether no earlier attempt left anything that this one would have to continue or to take into account.
  private var isAtStart: Bool {
    guard publishing == nil, checkpoint.segments.isEmpty, checkpoint.size == nil else { return false }
    guard attempts <= 1, retry.used == 0, failure == nil else { return false }
    return ownRequest == nil
  }
}

extension TransferRequest {
  /// Whether it is enough to send the request and to store the answer. Credentials, cookies, a pace and other options
  /// need the steps of an attempt.
  fileprivate var fitsBatch: Bool {
    guard method == "GET", url.scheme == "http" || url.scheme == "https" else { return false }
    guard credentials == nil, netrcFile == nil, authentication == nil, cookies == nil else { return false }
    guard signature == nil, schemes == nil, pace == nil else { return false }
    // Only an attempt chooses among several interfaces.
    guard interfaces.count < 2 else { return false }
    return jitter == nil
  }
}

extension JobOptions {
  /// Whether the bytes can be kept as they arrive, because nothing has to hold them back. Hashes of pieces are for
  /// files that can be repaired.
  fileprivate var fitBatch: Bool {
    guard rateLimit == nil, maxSize == nil, expectedType == nil, allowedTypes == nil else { return false }
    // A file that is read while it arrives must not stay in memory.
    guard !(inOrder ?? false) else { return false }
    return pieces == nil && (verify != .require || digest != nil)
  }
}
