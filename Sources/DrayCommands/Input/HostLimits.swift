// Applies the configuration's sections for hosts and rules to jobs: limits, times, retries, directories.

internal import DrayKit

/// The host rules for new jobs. Rules for requests (fields, credentials, proxy, trust) are looked up at each request
/// instead, and never stored.
struct HostLimits: Sendable {
  var rules: HostRules
  /// The names of options that were typed or set in the environment. They take precedence over the rules.
  var given: Set<String>
  var jobRules = JobRules()
  /// Whether rules choose directories. For clients' jobs, the service does.
  var choosesDirectories = true
  /// The directories of named queues, for jobs whose queue a rule chooses.
  var queueDirectories: [String: String] = [:]

  static var current: HostLimits {
    HostLimits(
      rules: CommandContext.current.hosts, given: CommandContext.current.given,
      jobRules: CommandContext.current.jobRules)
  }

  var areNone: Bool { rules.rules.isEmpty && jobRules.rules.isEmpty }

  /// Applies the settings for a job's host, then the rules that match the job. Both replace the configuration's
  /// settings for all jobs.
  /// - Parameters:
  ///   - keepsDirectory: Whether the user has chosen the directory.
  ///   - namesQueue: Whether a list names the job's queue, which takes precedence over that of a rule.
  func apply(to job: inout JobSpecification, keepsDirectory: Bool = true, namesQueue: Bool = false) {
    if !rules.rules.isEmpty, let settings = rules.settings(for: job.request.address.origin) {
      settings.apply(to: &job, given: given)
    }
    jobRules.apply(
      to: &job, given: given, keepsDirectory: keepsDirectory || !choosesDirectories,
      directories: namesQueue ? [:] : queueDirectories)
  }

  /// Applies the rules to a request without a job.
  func apply(to request: inout TransferRequest) {
    var job = JobSpecification(request: request, directory: "/")
    apply(to: &job)
    request = job.request
  }
}
