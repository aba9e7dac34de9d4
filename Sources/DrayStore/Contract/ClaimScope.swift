package import DrayCore

/// The jobs that a claim, a count or a recovery covers.
package enum ClaimScope: Sendable, Hashable {
  case all
  /// The jobs of a registered set.
  case only(IDScope)
  /// Every job that has all of these labels (``DrayCore/JobOptions/labels``).
  case labelled([JobLabel])
}

/// The interrupted jobs of a scope that a run continues.
package enum ContinuedJobs: Sendable, Hashable, CaseIterable {
  case all
  /// The jobs of clients (``DrayCore/TransferRequest/isOfClient``). A client's act must not start what the user has
  /// stopped.
  case ofClients
}

/// The conditions that a job must meet to be claimed at the time ``now``.
package struct ClaimQuery: Sendable {
  package var scope: ClaimScope
  package var jobsPerOrigin: JobsPerOrigin
  package var queues: QueueGates
  /// The time, in seconds since 1970.
  package var now: Double
  /// The time zone of the windows.
  package var zone: LocalZone

  package init(
    scope: ClaimScope, jobsPerOrigin: JobsPerOrigin, queues: QueueGates, now: Double, zone: LocalZone
  ) {
    (self.scope, self.jobsPerOrigin, self.queues) = (scope, jobsPerOrigin, queues)
    (self.now, self.zone) = (now, zone)
  }
}

/// A set of job numbers that was registered with a store. The set is valid only for that store, while the store is
/// open.
package struct IDScope: Sendable, Hashable {
  /// The number by which the store knows the set.
  package let number: Int
  package let count: Int

  package init(number: Int, count: Int) { (self.number, self.count) = (number, count) }
}

/// How many jobs of a scope are pending.
package struct PendingJobs: Sendable, Equatable {
  /// Queued jobs, whether due or not.
  package var queued: Int
  /// Jobs that other runners own.
  package var activeElsewhere: Int
  /// Jobs that the calling runner owns.
  package var mine: Int

  package init(queued: Int, activeElsewhere: Int, mine: Int) {
    (self.queued, self.activeElsewhere, self.mine) = (queued, activeElsewhere, mine)
  }

  /// Whether nothing is left to do or to wait for.
  package var isEmpty: Bool { queued + activeElsewhere + mine == 0 }
}
