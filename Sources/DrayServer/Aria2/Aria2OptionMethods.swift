// The methods for the options of one job, and for the options of all jobs.

internal import DrayCore
internal import DrayDocuments

enum Aria2OptionMethods {
  /// Returns the values for a new job: those of the client, and the defaults that clients set for all jobs.
  /// - Parameter usual: These defaults.
  static func values(
    _ members: [JSONNode.Member], usual: OptionMeaning.Values, _ context: Aria2Context
  ) throws(RPCFailure) -> OptionMeaning.Values {
    let given = try read(members, context, \.isOfJobs)
    return usual.isEmpty ? given : usual.merging(given) { $1 }
  }

  /// Reads the values that a client gives. The directory that a client names may begin with `~`.
  private static func read(
    _ members: [JSONNode.Member], _ context: Aria2Context, _ mayBeSet: (Aria2Option) -> Bool
  ) throws(RPCFailure) -> OptionMeaning.Values {
    var values = try Aria2Option.read(members, mayBeSet)
    if let directory = values["dir"] { values["dir"] = PathText.homed(directory, home: context.queue.home) }
    return values
  }

  /// `aria2.getOption(gid)`
  static func ofJob(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let job = try await context.job(parameters)
    let kept = try await context.queue.keptOptions(of: job.id)
    if let specification = try await context.queue.specification(of: job.id) {
      return .of(shown(specification, kept))
    }
    return .of(withoutMeaning(kept).merging(["dir": job.directory]) { $1 })
  }

  private static func shown(_ specification: JobSpecification, _ kept: OptionMeaning.Values) -> OptionMeaning.Values {
    withoutMeaning(kept).merging(OptionMeaning.values(of: specification, said: kept)) { $1 }
  }

  private static func withoutMeaning(_ kept: OptionMeaning.Values) -> OptionMeaning.Values {
    Aria2Option.usual(\.isOfJobs).merging(kept.filter { !OptionMeaning.names.contains($0.key) }) { $1 }
  }

  /// `aria2.changeOption(gid, options)`
  static func changeOfJob(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    _ = try parameters.string(0)
    let members = try parameters.members(1)
    let job = try await context.job(parameters)
    guard job.status.list != .stopped, var specification = try await context.queue.specification(of: job.id) else {
      throw RPCFailure.refused("Cannot change option for GID#\(job.gid.text)")
    }
    let kept = try await context.queue.keptOptions(of: job.id)
    let (before, told) = (specification, shown(specification, kept))
    // Some clients send all options back, and not just those that their user changed. A value that equals the shown one
    // therefore changes nothing; otherwise the passwords and cookies that are not shown would be lost.
    let given = try read(members, context) { $0.isOfJobs && $0.name != "gid" && $0.name != "pause" }
      .filter { told[$0.key, default: ""] != $0.value }
    let values = OptionMeaning.values(of: specification, said: kept).merging(given) { $1 }
    try OptionMeaning.apply(Set(given.keys), of: values, to: &specification, context.grants)
    if specification != before { try await context.queue.change(job.id, to: specification) }
    if !given.isEmpty {
      try await context.queue.keep(kept.merging(Aria2Option.withoutSecrets(given)) { $1 }, of: job.id)
    }
    return .ok
  }

  /// `aria2.getGlobalOption()`
  static func global(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    var values = Aria2Option.usual { $0.place != .jobOnly }
    values["dir"] = context.queue.directory
    values["user-agent"] = "dray/\(DrayVersion.text)"
    if let port = context.port { values["rpc-listen-port"] = "\(port)" }
    values.merge(try await context.queue.keptOptions(of: nil)) { $1 }
    values = Aria2Option.withoutSecrets(values)
    let limits = try await context.queue.limits()
    values["max-overall-download-limit"] = "\(limits.rate ?? 0)"
    if let jobs = limits.jobs ?? context.jobs { values["max-concurrent-downloads"] = "\(jobs)" }
    return .of(values)
  }

  /// `aria2.changeGlobalOption(options)`
  static func changeGlobal(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let given = try read(try parameters.members(0), context, \.isOfService)
    // Invalid values are refused here and not with each later job.
    var sample = JobSpecification(
      request: TransferRequest(url: try RequestURL.parse("http://localhost/").url), directory: context.queue.directory)
    try OptionMeaning.apply(Set(given.keys), of: given, to: &sample, context.grants)
    if let objection = context.queue.objection(to: Aria2Addition(specification: sample)) { throw objection }
    var limits = try await context.queue.limits()
    let before = limits
    if let rate = given["max-overall-download-limit"].flatMap({ Int64($0) }) { limits.rate = rate > 0 ? rate : nil }
    if let jobs = given["max-concurrent-downloads"].flatMap({ Int($0) }) {
      limits.jobs = min(jobs, JobsLimit.range.upperBound)
    }
    if limits != before { try await context.queue.set(limits) }
    let other = given.filter { $0.key != "max-overall-download-limit" && $0.key != "max-concurrent-downloads" }
    if !other.isEmpty {
      try await context.queue.keep(try await context.queue.keptOptions(of: nil).merging(other) { $1 }, of: nil)
    }
    return .ok
  }
}
