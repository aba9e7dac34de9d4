// The one place that every job of a client passes: it judges what the client wants before that reaches the queue (P22).

package import DrayCore

/// Adds the settings of the service user's configuration to a job that is permitted.
package struct JobPreparation: Sendable {
  /// Adds the settings that apply to all jobs.
  package var usual: @Sendable (inout JobSpecification) -> Void
  /// Adds the settings that apply to the host of the job's URL; these take precedence.
  package var host: @Sendable (inout JobSpecification) -> Void

  package init(
    usual: @escaping @Sendable (inout JobSpecification) -> Void,
    host: @escaping @Sendable (inout JobSpecification) -> Void
  ) {
    (self.usual, self.host) = (usual, host)
  }

  /// A preparation that adds nothing, for a service without a configuration.
  package static let none = JobPreparation(usual: { _ in }, host: { _ in })
}

struct ClientJobs: Sendable {
  let rule: OutsideRule
  let preparation: JobPreparation

  /// Returns a client's new job in the form in which it is queued. The settings that come from the configuration need
  /// no permission.
  func added(_ specification: JobSpecification, looksUpHost: Bool = true) throws(Failure) -> JobSpecification {
    var added = try rule.permitted(specification)
    preparation.usual(&added)
    if looksUpHost { preparation.host(&added) }
    return added
  }

  /// Returns the changed job, in the form that a client is permitted to give it.
  func changed(_ wanted: JobSpecification, from present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.permitted(wanted, .change, of: present, usual: usual(wanted))
  }

  /// Returns a new job that fetches the file of `present` again.
  func again(_ wanted: JobSpecification, of present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.permitted(wanted, .begin, of: present, usual: usual(wanted))
  }

  /// Returns a job in the form in which a client may start it from the beginning.
  func begun(_ present: JobSpecification) throws(Failure) -> JobSpecification {
    try rule.begun(present, usual: usual(present))
  }

  /// Returns a removed job in the form in which a client may bring it back.
  func restored(_ job: Job) -> Job { rule.restored(job, usual: usual(job.specification)) }

  /// Returns the job that a client would get for the same URL if it asked for nothing else.
  private func usual(_ specification: JobSpecification) -> JobSpecification {
    var usual = JobSpecification(
      request: TransferRequest(url: specification.request.url), directory: specification.directory)
    preparation.usual(&usual)
    preparation.host(&usual)
    return usual
  }
}
