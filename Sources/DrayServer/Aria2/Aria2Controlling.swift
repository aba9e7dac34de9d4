// The methods that pause, continue, remove and move jobs, and change their URLs.

internal import DrayCore

/// The methods that change jobs. The variants with `force` do the same here; in aria2, the ones without `force` notify
/// trackers first.
enum Aria2Controlling {
  /// `aria2.pause(gid)`
  static func pause(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let job = try await context.job(parameters)
    guard job.status == .active || job.status == .waiting, try await context.queue.pause([job.id]).contains(job.id)
    else {
      throw RPCFailure.refused("GID#\(job.gid.text) cannot be paused now")
    }
    return .string(job.gid.text)
  }

  /// `aria2.unpause(gid)`
  static func unpause(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let job = try await context.job(parameters)
    guard job.status == .paused, try await context.queue.resume([job.id]).contains(job.id) else {
      throw RPCFailure.refused("GID#\(job.gid.text) cannot be unpaused now")
    }
    return .string(job.gid.text)
  }

  /// `aria2.remove(gid)`
  static func remove(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let job = try await context.job(parameters)
    guard job.status.list != .stopped else {
      throw RPCFailure.refused("Active Download not found for GID#\(job.gid.text)")
    }
    guard try await context.queue.remove([job.id]).contains(job.id) else {
      throw RPCFailure.refused("GID#\(job.gid.text) cannot be removed now")
    }
    return .string(job.gid.text)
  }

  static func pauseAll(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    // The waiting jobs are paused first, so that none of them starts when an active one stops.
    let waiting = try await ids(.waiting, context)
    _ = try await context.queue.pause(waiting + (try await context.queue.ids(.active)))
    return .ok
  }

  static func unpauseAll(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    _ = try await context.queue.resume(try await ids(.paused, context))
    return .ok
  }

  /// `aria2.changePosition(gid, pos, how)`
  static func changePosition(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    _ = try parameters.string(0)
    let (offset, how) = (try parameters.integer(1), try parameters.string(2))
    let job = try await context.job(parameters)
    guard let way = Way(rawValue: how) else { throw RPCFailure.refused("Illegal argument.") }
    let waiting = try await context.queue.ids(.waiting)
    guard let place = waiting.firstIndex(of: job.id) else {
      throw RPCFailure.refused("GID#\(job.gid.text) not found in the waiting queue.")
    }
    let target = way.target(offset, from: place, count: waiting.count)
    if target != place { try await context.queue.move(job.id, to: target) }
    return .integer(target)
  }

  /// The place from which a position is counted.
  enum Way: String {
    case set = "POS_SET"
    case current = "POS_CUR"
    case end = "POS_END"

    /// Returns the index in the queue that results from an offset.
    func target(_ offset: Int64, from place: Int, count: Int) -> Int {
      let base =
        switch self {
        case .set: 0
        case .current: place
        case .end: count - 1
        }
      let (sum, overflows) = offset.addingReportingOverflow(Int64(base))
      let wanted = overflows ? offset : sum
      return Int(clamping: max(0, min(wanted, Int64(count) - 1)))
    }
  }

  /// `aria2.changeUri(gid, fileIndex, delUris, addUris[, position])`: the first URL that remains is the job's own, and
  /// the others are its mirrors. At least one URL must remain.
  static func changeURI(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    _ = try parameters.string(0)
    let index = try parameters.integer(1, atLeast: 1)
    let (unwanted, wanted) = (try parameters.strings(2), try parameters.strings(3))
    let position = try parameters.optionalPosition(4)
    let job = try await context.job(parameters)
    guard job.status.list != .stopped, var specification = try await context.queue.specification(of: job.id) else {
      throw RPCFailure.refused("Cannot remove URIs from GID#\(job.gid.text)")
    }
    guard index == 1 else { throw RPCFailure.refused("fileIndex is out of range") }
    var urls = JobURLs(specification)
    let (deleted, added) = urls.change(removing: unwanted, adding: wanted, at: position)
    guard deleted + added > 0 else { return .list([.integer(0), .integer(0)]) }
    urls.apply(to: &specification)
    try await context.queue.change(job.id, to: specification)
    return .list([.integer(deleted), .integer(added)])
  }

  /// `aria2.purgeDownloadResult()`
  static func purge(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    try await context.queue.forgetStopped()
    return .ok
  }

  /// `aria2.removeDownloadResult(gid)`
  static func removeResult(_ parameters: RPCParameters, _ context: Aria2Context) async throws -> RPCValue {
    let job = try await context.job(parameters)
    guard job.status.list == .stopped else {
      throw RPCFailure.refused("Could not remove download result of GID#\(job.gid.text)")
    }
    try await context.queue.forget([job.id])
    return .ok
  }

  private static func ids(_ status: Aria2Status, _ context: Aria2Context) async throws -> [JobID] {
    let waiting = try await context.queue.ids(.waiting)
    return try await context.queue.jobs(waiting, isWhole: false).filter { $0.status == status }.map(\.id)
  }
}
