// Leaves jobs to other machines if the share of their directory does not work on this machine.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension JobClaimer {
  /// After a search that leaves out the jobs of such shares, the claimer waits for the duration of the search times
  /// this number.
  static let searchRest = 5.0

  /// Returns the gates by which jobs of named queues and of shares are claimed.
  func gates(at now: Double) -> QueueGates {
    var gates = namedQueues.gates(at: now)
    gates.places = shares?.refused ?? []
    return gates
  }

  /// Gives back waiting jobs of shares that do not work here. From then on, this runner gets no more jobs of these
  /// shares. When a share works again, the queue is searched for jobs.
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
