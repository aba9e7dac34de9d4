// What methods share: the queue, what the service permits, and the ways from GIDs to jobs.

internal import DrayCore

/// Everything that a method may use.
struct Aria2Desk: Sendable {
  let queue: any Aria2Queue
  var grants: Aria2Grants = []

  /// The job that a GID, or the beginning of one, names (parameter `place`).
  /// - Throws: aria2's errors for one that is invalid, unknown or ambiguous.
  func id(_ parameters: RPCParameters, _ place: Int = 0) async throws -> JobID {
    let text = try parameters.string(place)
    let found = try await queue.ids(try GID(prefix: text))
    guard found.count < 2 else { throw RPCFailure.refused("GID \(text) is not unique") }
    guard let id = found.first else { throw RPCFailure.refused("GID \(text) is not found") }
    return id
  }

  /// The same with the job, as it is now.
  func job(_ parameters: RPCParameters, isWhole: Bool = false) async throws -> Aria2Job {
    let id = try await id(parameters)
    guard let job = try await queue.jobs([id], isWhole: isWhole).first else {
      throw RPCFailure.refused("GID \(try parameters.string(0)) is not found")
    }
    return job
  }
}
