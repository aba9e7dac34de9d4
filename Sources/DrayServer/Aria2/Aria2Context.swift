// What all methods share: the queue, the permissions of clients, and the lookup of GIDs.

internal import DrayCore

struct Aria2Context: Sendable {
  let queue: any Aria2Queue
  var grants: Aria2Grants = []
  var port: UInt16?
  /// The number of concurrent jobs with which the service was started; `nil` for as many as help.
  var jobs: Int?

  /// Returns the job that the parameter `place` names by its GID, or by the beginning of its GID.
  /// - Throws: The error that aria2 has for an invalid, unknown or ambiguous GID.
  func id(_ parameters: RPCParameters, _ place: Int = 0) async throws -> JobID {
    let text = try parameters.string(place)
    let found = try await queue.ids(try GID(prefix: text))
    guard found.count < 2 else { throw Self.ambiguous(text) }
    guard let id = found.first else { throw Self.unknown(text) }
    return id
  }

  /// Returns the job whose GID is the first parameter, in its present state.
  func job(_ parameters: RPCParameters, isWhole: Bool = false) async throws -> Aria2Job {
    let text = try parameters.string(0)
    let found = try await queue.job(named: try GID(prefix: text), isWhole: isWhole)
    guard found.matches < 2 else { throw Self.ambiguous(text) }
    guard let job = found.job else { throw Self.unknown(text) }
    return job
  }

  /// Returns the job whose GID is the first parameter if it is in memory.
  func known(_ parameters: RPCParameters, isWhole: Bool) throws -> Aria2Job? {
    queue.known(try GID(prefix: try parameters.string(0)), isWhole: isWhole)
  }

  private static func ambiguous(_ text: String) -> RPCFailure { .refused("GID \(text) is not unique") }
  private static func unknown(_ text: String) -> RPCFailure { .refused("GID \(text) is not found") }
}
