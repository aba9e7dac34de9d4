// Applies the sections of the configuration for hosts and rules to jobs: limits, times, retries, directories.

internal import DrayKit

/// The rules of the configuration that apply to new jobs. Rules that concern requests (fields, credentials, proxy,
/// trust) are looked up for each request instead, and are never stored in a job.
struct HostLimits: Sendable {
  var rules: HostRules
  /// The names of the options that were typed or set in the environment. These options take precedence over the rules.
  var given: Set<String>
  var jobRules = JobRules()
  /// Whether the rules may choose directories. For clients' jobs they may not, because the service chooses.
  var choosesDirectories = true
  /// The directories of named queues, for jobs whose queue was chosen by a rule.
  var queueDirectories: [String: String] = [:]

  static var current: HostLimits {
    HostLimits(
      rules: CommandContext.current.hosts, given: CommandContext.current.given,
      jobRules: CommandContext.current.jobRules)
  }

  var areNone: Bool { rules.rules.isEmpty && jobRules.rules.isEmpty }

  /// Applies the settings for the host of a job, and then the rules that match the job. Both replace the settings that
  /// the configuration has for all jobs.
  /// - Parameters:
  ///   - keepsDirectory: Whether the directory stays because the user has chosen it.
  ///   - namesQueue: Whether a list names the queue of the job; if so, the rules do not choose another queue.
  func apply(to job: inout JobSpecification, keepsDirectory: Bool = true, namesQueue: Bool = false) {
    if !rules.rules.isEmpty, let settings = rules.settings(for: job.request.address.origin) {
      settings.apply(to: &job, given: given)
    }
    jobRules.apply(
      to: &job, given: given, keepsDirectory: keepsDirectory || !choosesDirectories,
      directories: namesQueue ? [:] : queueDirectories)
  }

  /// Applies the rules to a request that belongs to no job.
  func apply(to request: inout TransferRequest) {
    var job = JobSpecification(request: request, directory: "/")
    apply(to: &job)
    request = job.request
  }
}
