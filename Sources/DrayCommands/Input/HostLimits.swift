// What the configuration says of a URL's host, where it is about the job: its limits, times and retries.

internal import DrayKit

/// The host rules as they hold for jobs that are made now. What belongs to requests (fields, credentials, proxy, trust) is
/// looked up at each request instead and never stored.
struct HostLimits: Sendable {
  /// The rules.
  var rules: HostRules
  /// The names of options that were typed or set in the environment: those stand.
  var given: Set<String>

  /// Those of the command that runs.
  static var current: HostLimits {
    HostLimits(rules: CommandContext.current.hosts, given: CommandContext.current.given)
  }

  /// Puts what holds for a job's host into it, and takes out what the configuration says for all hosts where it says something
  /// else of this one.
  func apply(to job: inout JobSpecification) {
    guard !rules.rules.isEmpty, let settings = rules.settings(for: job.request.address.origin) else { return }
    settings.apply(to: &job, given: given)
  }

  /// The same for a request without a job.
  func apply(to request: inout TransferRequest) {
    var job = JobSpecification(request: request, directory: "/")
    apply(to: &job)
    request = job.request
  }
}
