// The jobs in passing, for a shell that completes what somebody types.

package import DrayStore
internal import Threads

extension DownloadManager {
  /// The newest jobs in these states whose numbers begin with these digits, the newest first. A job whose runner died is
  /// interrupted here, although nobody has recorded that yet. Blocks, but waits for nobody, and leaves everything as it is.
  /// - Returns: nothing where the store cannot be read at once: because it is absent, locked, or of another version.
  package static func glance(
    _ configuration: Configuration, states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) -> [JobSummary] {
    let wanted = states.contains(.interrupted) ? states.union([.active]) : states
    let found = glance(configuration) { store async throws(Failure) in
      let jobs = try await store.newest(states: wanted, idsBeginningWith: digits, limit: limit)
      return (jobs, try await store.deadRunners(among: Set(jobs.compactMap(\.runner))))
    }
    guard let (jobs, dead) = found else { return [] }
    return jobs.map { job in
      var job = job
      if job.state == .active && job.runner.map(dead.contains) ?? true { job.state = .interrupted }
      return job
    }.filter { states.contains($0.state) }
  }

  /// The groups in passing. Blocks, but waits for nobody, and leaves everything as it is.
  package static func glanceGroups(_ configuration: Configuration) -> [StoredGroup] {
    glance(configuration) { store async throws(Failure) in try await store.groups() } ?? []
  }

  private static func glance<Value: Sendable>(
    _ configuration: Configuration, _ body: @escaping @Sendable (any JobStoring) async throws(Failure) -> Value
  ) -> Value? {
    guard let store = try? JobStores.open(configuration.store, .glance) else { return nil }
    defer { try? store.close() }
    return try? BlockingQueue("dray.glance").wait { () async throws(Failure) in try await body(store) }
  }
}
