// Which jobs a run is about.

public import DrayCore
internal import DrayStore
internal import Synchronization

/// Which jobs a run is about.
public enum RunScope: Sendable {
  /// The whole queue.
  case all
  /// These jobs.
  case jobs([JobID])
  /// These jobs, and those that ``Runner/add(_:isLast:)`` names while the run lasts.
  case growing([JobID])
}

/// A scope as the store has it.
final class RegisteredScope: Sendable {
  private struct State {
    var claims: ClaimScope
    var ids: Set<JobID>?
    var isGrowing: Bool
  }

  private let state: Mutex<State>

  init(_ scope: RunScope, in store: any JobStoring) async throws(Failure) {
    let begun: State
    switch scope {
    case .all: begun = State(claims: .all, ids: nil, isGrowing: false)
    case .jobs(let ids):
      begun = State(claims: .only(try await store.registerScope(ids)), ids: Set(ids), isGrowing: false)
    case .growing(let ids):
      begun = State(claims: .only(try await store.registerScope(ids)), ids: Set(ids), isGrowing: true)
    }
    state = Mutex(begun)
  }

  /// What is claimed.
  var claims: ClaimScope { state.withLock(\.claims) }
  /// The jobs, where they were named.
  var ids: Set<JobID>? { state.withLock(\.ids) }
  /// Whether only named jobs belong to it.
  var isNamed: Bool { state.withLock { $0.ids != nil } }
  /// Whether more jobs will come.
  var isGrowing: Bool { state.withLock(\.isGrowing) }

  /// Whether it is about this job.
  func contains(_ id: JobID) -> Bool { state.withLock { $0.ids?.contains(id) ?? true } }

  /// Adds jobs to those that were named.
  /// - Parameter isLast: whether no more will come.
  func add(_ ids: [JobID], isLast: Bool, in store: any JobStoring) async throws(Failure) {
    if !ids.isEmpty, case .only(let scope) = claims {
      let larger = try await store.extendScope(scope, with: ids)
      state.withLock { state in
        state.claims = .only(larger)
        state.ids?.formUnion(ids)
      }
    }
    if isLast { state.withLock { $0.isGrowing = false } }
  }
}
