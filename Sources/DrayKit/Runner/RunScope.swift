// Which jobs a run is about.

public import DrayCore

/// Which jobs a run is about.
public enum RunScope: Sendable {
  /// The whole queue.
  case all
  /// These jobs.
  case jobs([JobID])
}

/// A scope as the store has it.
struct RegisteredScope: Sendable {
  /// What is claimed.
  let claims: ClaimScope
  /// The jobs, where they were named.
  let ids: Set<JobID>?

  init(_ scope: RunScope, in store: JobStore) throws(Failure) {
    switch scope {
    case .all: (claims, ids) = (.all, nil)
    case .jobs(let named): (claims, ids) = (.only(try store.registerScope(named)), Set(named))
    }
  }

  /// Whether it is about this job.
  func contains(_ id: JobID) -> Bool { ids?.contains(id) ?? true }
}
