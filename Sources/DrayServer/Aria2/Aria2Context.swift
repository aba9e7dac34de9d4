// The shared context of methods: the queue, the service's permissions, and the lookup of GIDs.

internal import DrayCore

struct Aria2Context: Sendable {
  let queue: any Aria2Queue
  var grants: Aria2Grants = []
  var port: UInt16?
  /// The number of concurrent jobs that the service was started with; `nil` for as many as help.
  var jobs: Int?

  /// Returns the job with the GID, or its beginning, in parameter `place`.
  /// - Throws: The errors of aria2 for an invalid, unknown or ambiguous GID.
  func id(_ parameters: RPCParameters, _ place: Int = 0) async throws -> JobID {
    let text = try parameters.string(place)
    let found = try await queue.ids(try GID(prefix: text))
    guard found.count < 2 else { throw RPCFailure.refused("GID \(text) is not unique") }
    guard let id = found.first else { throw RPCFailure.refused("GID \(text) is not found") }
    return id
  }

  /// Returns the present job with the GID in the first parameter.
  func job(_ parameters: RPCParameters, isWhole: Bool = false) async throws -> Aria2Job {
    let id = try await id(parameters)
    guard let job = try await queue.jobs([id], isWhole: isWhole).first else {
      throw RPCFailure.refused("GID \(try parameters.string(0)) is not found")
    }
    return job
  }
}
