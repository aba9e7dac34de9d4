// Decides whether a URL is a new link for an interrupted job.

/// Links expire, and the user gets another URL for a file that is partly on disk. If the URL is for the same file, it
/// belongs to the job with these bytes.
///
/// The rule only finds the job. The bytes are kept later only if the server's bytes agree (P16).
public enum NewLinkRule {
  /// The evidence that a requested download is a job's file.
  public enum Match: Sendable, Equatable {
    /// The user has named the job's target.
    case target
    /// The URL ends in the name of the job's file. Only the length and a validator can prove that the file is the same.
    case name
  }

  /// Compares a requested download with a job; `nil` if its URL is no new link for the job.
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

  /// Whether an answer is for the version of the kept bytes: the answer has the same length and one of the same
  /// validators.
  public static func isSameVersion(_ checkpoint: Checkpoint, size: Int64?, _ validators: Validators) -> Bool {
    guard let size, size == checkpoint.size else { return false }
    let own = checkpoint.validators
    if let etag = own.strongETag, Validators.isSame(etag, validators.strongETag) { return true }
    return own.lastModified.map { Validators.isSame($0, validators.lastModified) } ?? false
  }
}
