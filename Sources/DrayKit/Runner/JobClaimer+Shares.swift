// Leaves jobs to other machines if their shares do not work on this one.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension JobClaimer {
  /// After a search beside shares that do not work here, the claimer waits this many times the duration of the search.
  static let searchRest = 5.0

  /// Returns the gates of named queues and shares.
  func gates(at now: Double) -> QueueGates {
    var gates = namedQueues.gates(at: now)
    gates.places = shares?.refused ?? []
    return gates
  }

  /// Gives back the waiting jobs of shares that do not work here, so that the store gives this runner no more of them.
  /// Looks for jobs when a share works again.
  func applyShares() async throws(Failure) {
    guard let shares else { return }
    shares.beat()
    let now = shares.refused
    guard now != refused else { return }
    refused = now
    signal.activity.continuation.yield()
    if slots.hasWaiting(where: { shares.refusal(of: $0.specification.place) != nil }) { try await giveBack() }
    queueMayHaveChanged()
  }
}
