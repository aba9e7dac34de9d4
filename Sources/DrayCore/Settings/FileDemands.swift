// The demands of a repeated request on the file itself. They also apply to a file that is already complete (P12).

/// The demands of a request for a file that is complete already, without those that are known to be met.
///
/// The options behind the demands judge the file; all other options are about its transfer. Where they meet a job:
///
/// | the job is | without `if-changed` | with `if-changed` |
/// |---|---|---|
/// | complete, its file unchanged | the file is judged at once; the job keeps its options | judged after the server's answer |
/// | queued, paused, interrupted, failed | the option replaces the job's, and the transfer judges | the same |
/// | being transferred by another process | refused (``unchecked(of:by:)``) | refused |
package struct FileDemands: Sendable, Equatable {
  /// The digest that the file must have.
  package var digest: DigestValue?
  /// The length that the file must have.
  package var size: Int64?
  /// The most bytes that the file may have.
  package var mostBytes: Int64?
  /// The type that the file must have.
  package var type: ExpectedType?
  /// Where digests are looked for; ``VerifyMode/none`` if no digest is missing.
  package var verify = VerifyMode.none

  /// Whether nothing is left to judge.
  package var areMet: Bool { self == FileDemands() }

  /// Creates no demands.
  init() {}

  /// Returns what a job demands of a file of `length` bytes, apart from its digest.
  package init(of job: JobOptions, length: Int64) {
    if let expected = job.expectedSize, expected != length { size = expected }
    if let most = job.maxSize, length > most { mostBytes = most }
    type = job.expectedType
    verify = job.verify ?? .offered
  }

  /// Returns what `asked` demands of the file that `job` has published, and that is not known from the job.
  ///
  /// A size limit, a type and a place for digests count only if they are given: a configuration may have changed since
  /// the file arrived. A search for digests that found none is not repeated unless a digest is required.
  package init(of asked: JobSpecification, judging job: Job) {
    let (options, own, length) = (asked.options, job.specification.options, job.published?.size)
    func isGiven(_ name: String) -> Bool { AskedAgainRule.gives(asked, name) }
    digest = options.digest == job.digest ? nil : options.digest
    size = options.expectedSize == length ? nil : options.expectedSize
    if isGiven("max-filesize"), let most = options.maxSize, length ?? .max > most { mostBytes = most }
    if isGiven("expect-type"), options.expectedType != own.expectedType { type = options.expectedType }
    let isProved = options.digest != nil || job.knownDigest.map { $0.source != .computed } ?? false
    guard isGiven("verify"), asked.request.isSafe, !isProved else { return }
    let mode = options.verify ?? .offered
    if mode == .require || mode.strictness > (own.verify ?? .offered).strictness { verify = mode }
  }

  /// Whether a request gives options that judge a file of `length` bytes by more than its length and a given digest.
  package static func judgeMore(_ asked: JobSpecification, length: Int64) -> Bool {
    let options = asked.options
    return options.expectedType != nil && AskedAgainRule.gives(asked, "expect-type")
      || options.maxSize ?? .max < length && AskedAgainRule.gives(asked, "max-filesize")
      || options.verify?.looksBeside ?? false && AskedAgainRule.gives(asked, "verify")
  }

  /// Returns the names of the settings in `asked` that demand something of the file that `job`, whose transfer has
  /// begun, does not check.
  package static func unchecked(of asked: JobSpecification, by job: JobSpecification) -> [String] {
    let (options, own) = (asked.options, job.options)
    var names: [String] = []
    if let digest = options.digest, digest != own.digest { names.append("checksum") }
    if let size = options.expectedSize, size != own.expectedSize { names.append("size") }
    if let most = options.maxSize, own.maxSize ?? .max > most { names.append("max-filesize") }
    if let type = options.expectedType, type != own.expectedType { names.append("expect-type") }
    let modes = [options, own].map { ($0.verify ?? .offered).strictness }
    if own.digest == nil, modes[0] > modes[1] { names.append("verify") }
    return names.filter { AskedAgainRule.gives(asked, $0) }
  }

  /// Returns words for settings of ``unchecked(of:by:)``, as in "without this digest".
  package static func words(_ names: [String]) -> String {
    let words = [
      "checksum": "digest", "size": "length", "max-filesize": "size limit", "expect-type": "expected type",
      "verify": "search for digests",
    ]
    return names.compactMap { words[$0] }.map { "this \($0)" }.joined(separator: " and ")
  }
}
