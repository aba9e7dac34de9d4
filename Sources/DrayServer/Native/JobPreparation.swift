// The one place through which clients' jobs go: each act of a client is judged here before it reaches the queue (P22).

public import DrayCore

/// Adds the settings in the service user's configuration to a permitted job.
public struct JobPreparation: Sendable {
  /// Adds the settings for all jobs.
  public var usual: @Sendable (inout JobSpecification) -> Void
  /// Adds the settings for the job's host, which take precedence.
  public var host: @Sendable (inout JobSpecification) -> Void

  public init(
    usual: @escaping @Sendable (inout JobSpecification) -> Void,
    host: @escaping @Sendable (inout JobSpecification) -> Void
  ) {
    (self.usual, self.host) = (usual, host)
  }

  /// The preparation without a configuration.
  public static let none = JobPreparation(usual: { _ in }, host: { _ in })
}

struct ClientJobs: Sendable {
  let rule: OutsideRule
  let preparation: JobPreparation

  /// Returns a new job as it is queued. The settings of the configuration need no permission.
  func added(_ specification: JobSpecification, looksUpHost: Bool = true) throws(Failure) -> JobSpecification {
    var added = try rule.permitted(specification)
    preparation.usual(&added)
    if looksUpHost { preparation.host(&added) }
    return added
  }

  /// Returns a job as a client may change it.
  func changed(_ wanted: JobSpecification, from present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.permitted(wanted, .change, of: present, usual: usual(wanted))
  }

  /// Returns the new job that fetches the file of `present` again.
  func again(_ wanted: JobSpecification, of present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.permitted(wanted, .begin, of: present, usual: usual(wanted))
  }

  /// Returns a job as a client may start it over.
  func begun(_ present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.begun(present, usual: usual(present))
  }

  /// Returns a removed job as a client may bring it back.
  func restored(_ job: Job) -> Job { rule.restored(job, usual: usual(job.specification)) }

  /// Returns a plain job of a client for the same URL.
  private func usual(_ specification: JobSpecification) -> JobSpecification {
    var usual = JobSpecification(
      request: TransferRequest(url: specification.request.url), directory: specification.directory)
    preparation.usual(&usual)
    preparation.host(&usual)
    return usual
  }
}
