// Leaves jobs to other machines if their share does not work on this one.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension JobClaimer {
  /// How long the claimer rests after a search that leaves out the jobs of such shares, as a multiple of the search's
  /// duration.
  static let searchRest = 5.0

  /// Returns the gates of named queues and shares.
  func gates(at now: Double) -> QueueGates {
    var gates = namedQueues.gates(at: now)
    gates.places = shares?.refused ?? []
    return gates
  }

  /// Gives back waiting jobs of shares that do not work here, so that this runner gets no more of them. When a share
  /// works again, looks for jobs.
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
