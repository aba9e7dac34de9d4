// The jobs in passing, for a shell that completes what somebody types.

internal import DrayStore

extension DownloadManager {
  /// The newest jobs in these states whose numbers begin with these digits, the newest first. A job whose runner died is
  /// interrupted here, although nobody has recorded that yet. Blocks, but waits for nobody, and leaves everything as it is.
  /// - Returns: nothing where the store cannot be read at once: because it is absent, locked, or of another version.
  package static func glance(
    _ configuration: Configuration, states: Set<JobState>, idsBeginningWith digits: String, limit: Int
  ) -> [JobSummary] {
    guard let store = JobStore.glance(configuration.home) else { return [] }
    defer { try? store.close() }
    let mayBeDead = states.contains(.interrupted)
    let wanted = mayBeDead ? states.union([.active]) : states
    guard var jobs = try? store.newest(states: wanted, idsBeginningWith: digits, limit: limit) else { return [] }
    let dead = RunnerLease.dead(among: Set(jobs.compactMap(\.runner)), in: configuration.home)
    for index in jobs.indices where jobs[index].state == .active && jobs[index].runner.map(dead.contains) ?? true {
      jobs[index].state = .interrupted
    }
    return jobs.filter { states.contains($0.state) }
  }

  /// The groups in passing. Blocks, but waits for nobody, and leaves everything as it is.
  package static func glanceGroups(_ configuration: Configuration) -> [StoredGroup] {
    guard let store = JobStore.glance(configuration.home) else { return [] }
    defer { try? store.close() }
    return (try? store.groups()) ?? []
  }
}
