// Quick looks at the jobs for shell completion.

package import DrayStore
internal import Threads

extension DownloadManager {
  /// Returns the newest jobs in these states whose numbers begin with these digits, newest first. A job whose runner
  /// died counts as interrupted, even if that is not recorded yet. It blocks the thread, but never waits for another
  /// process, and changes nothing.
  /// - Returns: An empty array if the store cannot be read at once: it is missing, locked, or of another version.
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

  /// Returns the groups; blocks the thread, but never waits for another process, and changes nothing.
  package static func glanceGroups(_ configuration: Configuration) -> [StoredGroup] {
    glance(configuration) { store async throws(Failure) in try await store.groups() } ?? []
  }

  /// Returns the names of the named queues, in order. It blocks the thread, but never waits for another process, and
  /// changes nothing.
  package static func glanceQueues(_ configuration: Configuration) -> [String] {
    let found = glance(configuration) { store async throws(Failure) in
      let stored = try await store.queues().map(\.name)
      return Set(stored).union(try await store.queueCounts().keys)
    }
    return (found ?? []).sorted()
  }

  private static func glance<Value: Sendable>(
    _ configuration: Configuration, _ body: @escaping @Sendable (any JobStoring) async throws(Failure) -> Value
  ) -> Value? {
    guard let store = try? JobStores.open(configuration.store, .glance) else { return nil }
    defer { try? store.close() }
    return try? BlockingExecutor("dray.glance").wait { () async throws(Failure) in try await body(store) }
  }
}
