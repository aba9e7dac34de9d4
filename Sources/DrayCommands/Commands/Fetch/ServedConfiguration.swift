// Applies the configuration to the jobs of a service's clients, as `dray add` does to its own jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer

enum ServedConfiguration {
  /// Returns the settings that the configuration adds to clients' jobs.
  /// - Throws: Kind `usage` if the configuration is invalid.
  static func preparation(_ surroundings: Surroundings) throws -> JobPreparation {
    let hosts = HostLimits.current
    guard let usual = try usualJob(surroundings) else {
      return JobPreparation(usual: { _ in }, host: { hosts.apply(to: &$0) })
    }
    let settings = Setting.forClients(in: usual)
    return JobPreparation(
      usual: { job in for setting in settings { setting.complete(&job, with: usual) } }, host: { hosts.apply(to: &$0) })
  }

  /// Returns how clients' jobs access the object stores of the allowed directories: in the same way as the jobs of
  /// `dray add`.
  /// - Throws: Kind `usage` for a profile or a file that cannot be used.
  static func access(_ surroundings: Surroundings) throws -> ObjectAccess {
    let add = try CommandContext.current.reads?(["add", "--", "http://usual.invalid/"]) as? Add
    let (objects, schemes) = try (
      add?.job.objects ?? ObjectArguments.parse([]), add?.request.schemes ?? SchemeArguments.parse([])
    )
    let trust = try add.flatMap { add in
      try ServerTrust(
        caFile: RequestTemplate.caFile(add.request, surroundings), isInsecure: add.request.insecure)
    }
    return try ObjectAccessFinder(objects, schemes, trust: trust, environment: surroundings.environment).access()
  }

  /// Returns the job that `dray add` makes of a URL without any options.
  private static func usualJob(_ surroundings: Surroundings) throws -> JobSpecification? {
    // No host can have this name (RFC 2606 §2), so no [host] section applies to it.
    let url = "http://usual.invalid/"
    guard let add = try CommandContext.current.reads?(["add", "--", url]) as? Add else { return nil }
    var surroundings = surroundings
    // A service has no user to ask.
    surroundings.askPassword = { _ in nil }
    var job = add.job
    // The service itself decides where clients' files go.
    (job.dir, job.output) = (nil, nil)
    var list = InputList()
    try list.read(Array("\(url)\n".utf8), name: "the configuration")
    var template = try JobTemplate(job, add.request, surroundings)
    // The rules are left out here, because they are matched with each client's job later.
    template.hosts.jobRules = JobRules()
    return try SpecificationList(list, template, job, surroundings, .plain).first
  }
}
