public import DrayCore
internal import DrayStore
internal import Synchronization

/// The jobs that a run handles.
public enum RunScope: Sendable {
  case all
  case jobs([JobID])
  /// These jobs, and those that ``Runner/add(_:isLast:)`` adds during the run.
  case growing([JobID])
  /// Every job that has all of these labels.
  case labelled([JobLabel])
}

final class RegisteredScope: Sendable {
  private struct State {
    var claims: ClaimScope
    var ids: Set<JobID>?
    var isGrowing: Bool
  }

  private let state: Mutex<State>

  /// The interrupted jobs of the scope that the run continues.
  let continued: ContinuedJobs

  init(_ scope: RunScope, _ continued: ContinuedJobs, in store: any JobStoring) async throws(Failure) {
    self.continued = continued
    let begun: State
    switch scope {
    case .labelled(let labels): begun = State(claims: .labelled(labels), ids: nil, isGrowing: false)
    case .all: begun = State(claims: .all, ids: nil, isGrowing: false)
    case .jobs(let ids):
      begun = State(claims: .only(try await store.registerScope(ids)), ids: Set(ids), isGrowing: false)
    case .growing(let ids):
      begun = State(claims: .only(try await store.registerScope(ids)), ids: Set(ids), isGrowing: true)
    }
    state = Mutex(begun)
  }

  var claims: ClaimScope { state.withLock(\.claims) }
  /// The numbers of the jobs; `nil` for the whole queue.
  var ids: Set<JobID>? { state.withLock(\.ids) }
  /// Whether the scope consists of named jobs.
  var isNamed: Bool { state.withLock { $0.ids != nil } }
  /// Whether more jobs will be added.
  var isGrowing: Bool { state.withLock(\.isGrowing) }

  func contains(_ id: JobID) -> Bool { state.withLock { $0.ids?.contains(id) ?? true } }

  /// - Parameter isLast: Whether no more jobs will be added.
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
