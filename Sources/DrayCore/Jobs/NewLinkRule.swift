// Decides whether a URL is a new link for an interrupted job.

/// Links expire, and then the user gets another URL for a file that is already partly on disk. If both URLs lead to the
/// same file, the new URL belongs to the job that has the bytes.
///
/// This rule only finds that job. Whether its bytes are kept is decided later, by comparing them with the server's
/// (P16).
public enum NewLinkRule {
  /// What suggests that a requested download is the file of an existing job.
  public enum Match: Sendable, Equatable {
    /// The user has named the job's target.
    case target
    /// The URL ends in the name of that job's file. If so, only the length and a validator can prove that the files are
    /// the same.
    case name
  }

  /// Compares a requested download with a job; `nil` if the URL is not a new link for that job.
  public static func match(_ specification: JobSpecification, _ job: Job) -> Match? {
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
  public static func isSameVersion(_ checkpoint: Checkpoint, size: Int64?, _ validators: Validators) -> Bool {
    guard let size, size == checkpoint.size else { return false }
    let own = checkpoint.validators
    if let etag = own.strongETag, Validators.isSame(etag, validators.strongETag) { return true }
    return own.lastModified.map { Validators.isSame($0, validators.lastModified) } ?? false
  }
}
