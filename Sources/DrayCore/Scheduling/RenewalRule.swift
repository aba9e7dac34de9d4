// Decides what follows when the link that a source gave has expired.

/// Links of sources expire: signed URLs after minutes, tokens after one. The source is then asked again for the same file
/// of the same version.
///
/// | the attempt ended with | and | then |
/// |---|---|---|
/// | 401, 403, 404 or 410 | the source was not asked yet in this run | the source is asked |
/// | the same | at least 64 KiB more are kept than when the source was asked last | the source is asked |
/// | the same | fewer new bytes are kept | the source is asked; the new link uses up a retry, after its pause |
/// | the same | no more bytes are kept | the job fails as without a source |
/// | a rate limit that is used up, or any other failure | | the job fails or waits as without a source |
package enum RenewalRule {
  /// The statuses with which servers answer for expired links.
  package static let statuses: Set<Int> = [401, 403, 404, 410]

  /// What a source says about a job's file when it is queried again.
  package struct Offer: Sendable, Equatable {
    /// The revision that the source names now.
    package var revision: String?
    /// The URL of the file; `nil` if the source does not have the file any more.
    package var url: RequestURL?
    /// Other URLs of the file.
    package var mirrors: [RequestURL]
    /// The header fields for the URL.
    package var headers: [HeaderField]
    /// The length of the file in bytes.
    package var size: Int64?
    /// The digest of the file.
    package var digest: DigestValue?
    /// Whether requests now get other header fields that are not stored, so that the same link may work.
    package var hasNewFields = false

    /// Creates an offer.
    package init(
      revision: String? = nil, url: RequestURL?, mirrors: [RequestURL] = [], headers: [HeaderField] = [],
      size: Int64? = nil, digest: DigestValue? = nil
    ) {
      (self.revision, self.url, self.mirrors, self.headers) = (revision, url, mirrors, headers)
      (self.size, self.digest) = (size, digest)
    }
  }

  /// What to do with an offer.
  package enum Verdict: Sendable, Equatable {
    /// Continue with the new link.
    case take
    /// The link is the one that has failed.
    case same
    /// The file is not the one that the job began. The clause says why.
    case refuse(String)
  }

  /// Whether the source of a job is asked after a failure.
  /// - Parameters:
  ///   - kept: The number of bytes that are kept.
  ///   - last: The number of bytes that were kept when the source was asked last in this run; `nil` if it was not asked.
  package static func asks(_ failure: Failure, _ source: SourceReference?, kept: Int64, last: Int64?) -> Bool {
    guard source != nil, failure.recovery != .retry, failure.httpStatus.map(statuses.contains) ?? false else {
      return false
    }
    return last.map { kept > $0 } ?? true
  }

  /// Returns a refusal that concerns all files of a name as a failure of that name, so that users read it once. A
  /// source that returns the refused link again has no other.
  package static func ofName(_ failure: Failure, _ source: SourceReference) -> Failure {
    guard let status = failure.httpStatus, statuses.contains(status), failure.recovery != .retry else { return failure }
    let code = failure.code.flatMap(HubRefusal.init(rawValue:))
    guard code?.concernsAll ?? (failure.kind == .authentication) else { return failure }
    var whole = failure
    (whole.subject, whole.isOfName) = (source.shownName, true)
    if code == nil { whole.advice = "check that you may read it; `dray help sources` says where tokens are" }
    return whole
  }

  /// Whether a new link is tried only as a retry, because the last one brought little. Otherwise a server that sends a
  /// few bytes before each refusal would be asked for ever without a pause (P13).
  package static func isRetry(kept: Int64, last: Int64?) -> Bool { last.map { kept < $0 + Joint.newGround } ?? false }

  /// Compares an offer with the job whose link has expired. Only facts that both know are compared.
  package static func judge(_ offer: Offer, for job: Job) -> Verdict {
    let (request, options) = (job.specification.request, job.specification.options)
    guard let url = offer.url else { return .refuse("the source does not have the file any more") }
    if let old = options.source?.revision, let new = offer.revision, old != new {
      return .refuse("the source now has revision \(new) instead of \(old)")
    }
    if let old = options.expectedSize ?? job.checkpoint.size, let new = offer.size, old != new {
      return .refuse("the source's file now has \(new) bytes instead of \(old)")
    }
    if let old = options.digest, let new = offer.digest, old.algorithm == new.algorithm, old != new {
      return .refuse("the source's file now has another digest")
    }
    let isSame = url == request.url && offer.headers.allSatisfy(request.headers.contains)
    return isSame && !offer.hasNewFields && mirrors(offer, job.specification) == options.mirrors ?? [] ? .same : .take
  }

  /// The maximum number of mirrors that other requests for the same bytes give a job (P13).
  static let mostMirrors = 16

  /// Returns the mirrors after an offer. Mirrors that other requests for the same bytes gave are not the source's, so they
  /// stay (``SourceAgainRule/mirrors(of:joinedBy:)``). Those on a server of the offer are older links of the source.
  private static func mirrors(_ offer: Offer, _ job: JobSpecification) -> [RequestURL] {
    guard job.isNamedByDigest else { return offer.mirrors }
    let offered = [offer.url].compactMap(\.self) + offer.mirrors
    let others = (job.options.mirrors ?? []).filter { old in !offered.contains { $0.origin == old.origin } }
    return offer.mirrors + others.prefix(max(0, mostMirrors - offer.mirrors.count))
  }

  /// Gives a job the new link. Secrets of the old one stay with its origin (P7).
  package static func take(_ offer: Offer, into job: inout JobSpecification) {
    guard let url = offer.url else { return }
    var request = job.request.moved(to: url)
    let names = Set(offer.headers.map { $0.name.lowercased() })
    request.headers = request.headers.filter { !names.contains($0.name.lowercased()) } + offer.headers
    job.request = request
    let mirrors = mirrors(offer, job)
    job.options.mirrors = mirrors.isEmpty ? nil : mirrors
  }
}
