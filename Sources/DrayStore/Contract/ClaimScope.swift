// Which jobs a runner is about: all of the queue, or the ones that a `get` named; and how many of them are left.

/// The jobs that a claim, a count or a recovery is about.
package enum ClaimScope: Sendable, Hashable {
  /// Every job.
  case all
  /// The jobs of a registered set.
  case only(IDScope)
}

/// A set of job numbers that was registered with a store; valid for that store only, and as long as it is open.
package struct IDScope: Sendable, Hashable {
  /// The store's name for it.
  package let number: Int
  /// How many numbers it has.
  package let count: Int

  /// Made by the store.
  package init(number: Int, count: Int) { (self.number, self.count) = (number, count) }
}

/// How many jobs of a scope wait, and who has the others.
package struct PendingJobs: Sendable, Equatable {
  /// Queued, due or not.
  package var queued: Int
  /// Active with another runner.
  package var activeElsewhere: Int
  /// Active with the runner that asks.
  package var mine: Int

  /// Makes a count.
  package init(queued: Int, activeElsewhere: Int, mine: Int) {
    (self.queued, self.activeElsewhere, self.mine) = (queued, activeElsewhere, mine)
  }

  /// Whether nothing is left to be done or waited for.
  package var isEmpty: Bool { queued + activeElsewhere + mine == 0 }
}
