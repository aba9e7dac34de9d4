// Leaves the jobs of shares that do not work on this machine to others.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension JobClaimer {
  /// Seconds without a search for each second of a search outside of the shares that do not work here.
  static let searchRest = 5.0

  /// Returns the gates for claims at a time: of the named queues, and of the shares.
  func gates(at now: Double) -> QueueGates {
    var gates = namedQueues.gates(at: now)
    gates.places = shares?.refused ?? []
    return gates
  }

  /// Gives back the waiting jobs of shares that do not work here, and looks for jobs when one works again. The store gives
  /// this runner no more of them.
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
