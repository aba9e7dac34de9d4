// What the configuration says of jobs that clients of the service add: what it says of those of `dray add`.

internal import DrayKit
internal import DrayServer

enum ServedConfiguration {
  /// Puts it into jobs.
  /// - Throws: kind `usage` for what it says that cannot be.
  static func preparation(_ surroundings: Surroundings) throws -> JobPreparation {
    let hosts = HostLimits.current
    guard let usual = try usualJob(surroundings) else {
      return JobPreparation(usual: { _ in }, host: { hosts.apply(to: &$0) })
    }
    let settings = Setting.forClients(in: usual)
    return JobPreparation(
      usual: { job in for setting in settings { setting.complete(&job, with: usual) } }, host: { hosts.apply(to: &$0) })
  }

  /// What `dray add` would make of a URL without further words.
  private static func usualJob(_ surroundings: Surroundings) throws -> JobSpecification? {
    // No host has this name (RFC 2606 §2), so what is said of hosts stays out.
    let url = "http://usual.invalid/"
    guard let add = try CommandContext.current.reads?(["add", "--", url]) as? Add else { return nil }
    var surroundings = surroundings
    // A service has nobody to ask.
    surroundings.askPassword = { _ in nil }
    var job = add.job
    // Where files of clients go is the service's own matter.
    (job.dir, job.output) = (nil, nil)
    var list = InputList()
    try list.read(Array("\(url)\n".utf8), name: "the configuration")
    let template = try JobTemplate(job, add.request, surroundings)
    return try SpecificationList(list, template, job, surroundings, .plain).first
  }
}
