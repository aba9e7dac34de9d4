// The methods that read jobs.

internal import DrayCore

/// A method that shows one job, whose GID is its first parameter.
struct Aria2JobView: Sendable {
  /// Whether a call needs more of the job than a row of a list contains.
  var needsWhole: @Sendable (RPCParameters) throws -> Bool = { _ in true }
  let show: @Sendable (Aria2Job, RPCParameters) throws -> RPCValue

  func answer(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let isWhole = try needsWhole(parameters)
    return try show(try await context.job(parameters, isWhole: isWhole), parameters)
  }

  /// Returns the answer if the job is in memory; never waits.
  func known(_ parameters: RPCParameters, _ context: Aria2Context) throws -> RPCValue? {
    let isWhole = try needsWhole(parameters)
    guard let job = try context.known(parameters, isWhole: isWhole) else { return nil }
    return try show(job, parameters)
  }
}

enum Aria2Looking {
  /// `aria2.tellStatus(gid[, keys])`
  static let tellStatus = Aria2JobView(
    needsWhole: { Aria2Field.asked(try $0.keys(1)).needWhole },
    show: { Aria2Field.asked(try $1.keys(1)).of($0) })

  /// `aria2.getUris(gid)`
  static let getURIs = Aria2JobView(show: { job, _ in
    guard job.status.list != .stopped else {
      throw RPCFailure.refused("No URI data is available for GID#\(job.gid.text)")
    }
    return job.uris
  })

  /// `aria2.getFiles(gid)`
  static let getFiles = Aria2JobView(show: { job, _ in .list([job.file]) })

  /// `aria2.getServers(gid)`
  static let getServers = Aria2JobView(show: { job, _ in
    guard job.status == .active else { throw RPCFailure.refused("No active download for GID#\(job.gid.text)") }
    return job.servers
  })

  /// `aria2.tellActive([keys])`
  static func tellActive(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let fields = Aria2Field.asked(try parameters.keys(0))
    return try await structs(try await context.queue.ids(.active), fields, context)
  }

  /// `aria2.tellWaiting(offset, num[, keys])`
  static func tellWaiting(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    try await part(of: .waiting, parameters, context)
  }

  /// `aria2.tellStopped(offset, num[, keys])`
  static func tellStopped(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    try await part(of: .stopped, parameters, context)
  }

  /// `aria2.getGlobalStat()`
  static func globalStat(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let active = try await context.queue.ids(.active)
    let waiting = try await context.queue.ids(.waiting).count
    let stopped = try await context.queue.ids(.stopped).count
    let rate = try await context.queue.jobs(active, isWhole: false).reduce(0) { $0 + $1.rate }
    return .of([
      "downloadSpeed": .number(rate), "numActive": .number(active.count), "numStopped": .number(stopped),
      "numStoppedTotal": .number(stopped), "numWaiting": .number(waiting), "uploadSpeed": .number(0),
    ])
  }

  private static func part(
    of list: Aria2Status.List, _ parameters: RPCParameters, _ context: Aria2Context
  ) async throws -> RPCValue {
    let window = Aria2Window(offset: try parameters.integer(0), count: try parameters.integer(1, atLeast: 0))
    let fields = Aria2Field.asked(try parameters.keys(2))
    return try await structs(window.part(of: try await context.queue.ids(list)), fields, context)
  }

  private static func structs(_ ids: [JobID], _ fields: [Aria2Field], _ context: Aria2Context) async throws -> RPCValue
  {
    guard !ids.isEmpty else { return .list([]) }
    let jobs = try await context.queue.jobs(ids, isWhole: fields.needWhole)
    return await LongWork.run(jobs.count) { .list(jobs.map(fields.of)) }
  }
}
