// Decides whether a URL is a new link for an interrupted job.

/// Links expire, and then the user gets another URL for a file that is already partly on disk. If both URLs lead to the
/// same file, the new URL belongs to the job that has the bytes.
///
/// This rule only finds that job. Whether its bytes are kept is decided later, by comparing them with the server's
/// (P16).
package enum NewLinkRule {
  /// What suggests that a requested download is the file of an existing job.
  package enum Match: Sendable, Equatable {
    /// The user has named the job's target.
    case target
    /// The URL ends in the name of that job's file. If so, only the length and a validator can prove that the files are
    /// the same.
    case name
  }

  /// Compares a requested download with a job; `nil` if the URL is not a new link for that job.
  package static func match(_ specification: JobSpecification, _ job: Job) -> Match? {
    let own = job.specification
    guard job.state == .interrupted || job.state == .paused, job.group == nil, !job.checkpoint.segments.isEmpty,
      let name = job.fileName ?? own.output, own.request.isSafe, specification.request.isSafe,
      own.request.url != specification.request.url, own.directory == specification.directory,
      own.targetServer == specification.targetServer,
      own.options.repairs == nil, specification.options.adopts == nil, specification.request.cache?.ifChanged == nil
    else { return nil }
    if let output = specification.output { return output == name ? .target : nil }
    return FileName.fromURLPath(specification.request.url.path) == name ? .name : nil
  }

  /// Whether an answer is for the version of the kept bytes: its length is the same, and so is one of its validators.
  package static func isSameVersion(_ checkpoint: Checkpoint, size: Int64?, _ validators: Validators) -> Bool {
    guard let size, size == checkpoint.size else { return false }
    let own = checkpoint.validators
    if let etag = own.strongETag, Validators.isSame(etag, validators.strongETag) { return true }
    return own.lastModified.map { Validators.isSame($0, validators.lastModified) } ?? false
  }
}

extension NewLinkRule {
  /// A stopped job that a link of a browser could continue.
  package struct Candidate: Sendable, Equatable {
    /// The job.
    package var job: Job
    /// Whether the link is certain to be for this job's file: its server refused the old link, and no other job fits
    /// better.
    package var isCertain: Bool
  }

  /// Returns the stopped jobs that a link could continue, the most likely first: those with the same name or size, or
  /// with the same URL except for the query. Failed jobs are included, although they have no bytes, because the user
  /// wants their files, too.
  /// - Parameters:
  ///   - name: The name that the browser gives the file; `nil` for the one in the URL.
  ///   - size: The length that the server told the browser.
  package static func candidates(for url: RequestURL, name: String?, size: Int64?, among jobs: [Job]) -> [Candidate] {
    let name = name ?? FileName.fromURLPath(url.path)
    var found: [(likeness: Int, candidate: Candidate)] = []
    for job in jobs {
      let own = job.specification
      guard [.interrupted, .paused, .failed].contains(job.state), own.request.isSafe, own.options.repairs == nil else {
        continue
      }
      let hasAddress = own.request.url.origin == url.origin && own.request.url.path == url.path
      let hasName = (job.fileName ?? own.output ?? FileName.fromURLPath(own.request.url.path)) == name
      let hasSize = size != nil && size == job.checkpoint.size
      // A different length means a different file or version.
      guard hasAddress || hasName || hasSize, size == nil || job.checkpoint.size == nil || hasSize else { continue }
      let isSame = hasAddress || (hasName && hasSize)
      let likeness = (hasAddress ? 4 : 0) + (hasSize ? 2 : 0) + (hasName ? 1 : 0)
      found.append((likeness, Candidate(job: job, isCertain: isSame && isRefused(job))))
    }
    found.sort { ($0.likeness, $0.candidate.job.id) > ($1.likeness, $1.candidate.job.id) }
    var candidates = found.map(\.candidate)
    if candidates.count(where: \.isCertain) > 1 {
      for index in candidates.indices { candidates[index].isCertain = false }
    }
    return candidates
  }

  /// Whether the server has refused the job's link.
  private static func isRefused(_ job: Job) -> Bool {
    guard let failure = job.failure else { return false }
    return failure.kind == .authentication || [401, 403, 404, 410].contains(failure.httpStatus)
  }
}
