// Decides from which named queues jobs can be claimed.

/// Which queues are closed, and how many more jobs the open ones may have. Jobs without a named queue can always be
/// claimed.
package struct QueueGates: Sendable, Equatable {
  /// The queues that are closed until they are resumed.
  package private(set) var paused: Set<String> = []
  /// The queues that are closed until a time, in seconds since 1970.
  package private(set) var until: [String: Double] = [:]
  /// For each queue with a limit, the maximum number of active jobs in all runners together.
  package private(set) var limits: [String: Int] = [:]
  /// The number of active jobs in each queue that has a limit.
  private var counts: [String: Int] = [:]

  /// Directories whose share does not work on this machine; jobs in or below them are left to other machines. Only used
  /// with a store of several machines.
  package var places: [String] = []

  /// The value in which all queues are open.
  package static let open = QueueGates()

  private init() {}

  /// Creates the value for these queues at a time.
  package init(_ queues: [NamedQueue], at now: Double, zone: LocalZone) {
    for queue in queues {
      limits[queue.name] = queue.settings.jobs
      switch queue.gate(at: now, zone: zone) {
      case .open: break
      case .paused: paused.insert(queue.name)
      case .spent(let time), .closed(let time): until[queue.name] = time
      }
    }
  }

  /// Returns whether a job of a queue can be claimed.
  package func admits(_ queue: String?) -> Bool {
    guard let queue else { return true }
    return !paused.contains(queue) && until[queue] == nil && !isFull(queue)
  }

  private func isFull(_ queue: String) -> Bool { limits[queue].map { counts[queue, default: 0] >= $0 } ?? false }

  /// Adds to the number of active jobs in a queue.
  package mutating func add(_ count: Int, to queue: String?) {
    if let queue, limits[queue] != nil { counts[queue, default: 0] += count }
  }

  /// The queues that are closed, whatever the number of their active jobs.
  package var closed: Set<String> { paused.union(until.keys) }

  /// The queues whose jobs cannot be claimed now.
  package var shut: Set<String> { waiting.union(until.keys) }

  /// The queues whose jobs cannot be claimed until an unknown time: paused queues, and queues at their limit.
  package var waiting: Set<String> { paused.union(limits.keys.filter(isFull)) }

  /// The same value without any maximum numbers of active jobs.
  package var withoutLimits: QueueGates {
    var gates = self
    (gates.limits, gates.counts) = ([:], [:])
    return gates
  }
}
