/// Decides whether a source offers the version of a file that a job has fetched or begun, when its name is requested
/// again.
///
/// | known to both | versions |
/// |---|---|
/// | digests of one algorithm | the same if the digests are equal, otherwise different |
/// | sizes that differ | different |
/// | revisions | the same if they are equal, otherwise different |
/// | nothing of these | unknown |
package enum SourceAgainRule {
  /// How two versions compare.
  package enum Verdict: Sendable, Equatable {
    case same, different, unknown
  }

  /// Compares what a source offers now with a job for the same file of the source.
  package static func compare(_ asked: JobSpecification, with job: Job) -> Verdict {
    let (new, old) = (asked.options, job.specification.options)
    if let wanted = new.digest {
      let known = [old.digest, job.digest].compactMap(\.self).first { $0.algorithm == wanted.algorithm }
      if let known { return known == wanted ? .same : .different }
    }
    let size = job.published?.size ?? old.expectedSize ?? job.checkpoint.size
    if let size, let wanted = new.expectedSize, size != wanted { return .different }
    guard let before = old.source?.revision, let now = new.source?.revision else { return .unknown }
    return before == now ? .same : .different
  }

  /// Whether a job fetches the bytes that another request wants at the same place: a file that is named by its digest,
  /// perhaps of another name in a source. Both must have the same target.
  package static func isShared(_ asked: JobSpecification, with job: Job) -> Bool {
    let own = job.specification
    return asked.isNamedByDigest && !own.arrangements.isEmpty && own.options.digest == asked.options.digest
  }

  /// Returns the mirrors of a job after a request for the same bytes at another server, which may have the file where the
  /// job's own server refuses it. The digest proves the bytes of both, and no secret of one goes to the other (P7).
  /// - Returns: `nil` if they stay as they are: the server is known already, or the file is not named by its digest.
  package static func mirrors(of job: JobSpecification, joinedBy asked: JobSpecification) -> [RequestURL]? {
    let mirrors = job.options.mirrors ?? []
    guard job.isNamedByDigest, asked.options.digest == job.options.digest, mirrors.count < RenewalRule.mostMirrors,
      !([job.request.url] + mirrors).contains(where: { $0.origin == asked.request.url.origin })
    else { return nil }
    return mirrors + [asked.request.url]
  }

  /// Gives an unfinished job what its source says now that its name is requested again.
  ///
  /// | the file | kept bytes |
  /// |---|---|
  /// | has the same digest, or nothing that both know differs (``RenewalRule/judge(_:for:)``) | stay |
  /// | has another revision, size or digest | belong to another version (P2), so the job starts over |
  package static func requested(
    _ asked: JobSpecification, of job: Job
  ) -> (specification: JobSpecification, startsOver: Bool) {
    let (options, request) = (asked.options, asked.request)
    let offer = RenewalRule.Offer(
      revision: options.source?.revision, url: request.url, mirrors: options.mirrors ?? [], headers: request.headers,
      size: options.expectedSize, digest: options.digest)
    var moved = job.specification
    RenewalRule.take(offer, into: &moved)
    moved.request.netrcSkipsDefault = request.netrcSkipsDefault
    moved.options.source = options.source?.keepingArrangements(of: job.specification.options.source)
    guard case .refuse = RenewalRule.judge(offer, for: job), compare(asked, with: job) != .same else {
      return (moved, false)
    }
    (moved.options.digest, moved.options.expectedSize) = (options.digest, options.expectedSize)
    return (moved, true)
  }
}
