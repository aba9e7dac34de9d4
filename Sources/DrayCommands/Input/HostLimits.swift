// Applies the configuration's host rules to jobs: limits, times and retries.

internal import DrayKit

/// The host rules for new jobs. Rules for requests (fields, credentials, proxy, trust) are looked up at each request
/// instead, and never stored.
struct HostLimits: Sendable {
  /// The rules.
  var rules: HostRules
  /// The names of options that were typed or set in the environment. They take precedence over the rules.
  var given: Set<String>

  /// The rules for the running command.
  static var current: HostLimits {
    HostLimits(rules: CommandContext.current.hosts, given: CommandContext.current.given)
  }

  /// Applies the rules for a job's host. They replace the configuration's settings for all hosts.
  func apply(to job: inout JobSpecification) {
    guard !rules.rules.isEmpty, let settings = rules.settings(for: job.request.address.origin) else { return }
    settings.apply(to: &job, given: given)
  }

  /// Applies the rules to a request without a job.
  func apply(to request: inout TransferRequest) {
    var job = JobSpecification(request: request, directory: "/")
    apply(to: &job)
    request = job.request
  }
}
