// The data for aria2's clients that the service keeps only while it runs.

internal import DrayCore

/// The removed jobs, and the options that have no meaning for dray.
struct Aria2Memory: Sendable {
  /// The jobs that were active when removed, oldest first. Clients still ask for the state of such a job.
  private(set) var removed: [Aria2Job] = []
  private var options: [JobID?: [String: String]] = [:]

  /// The maximum number of removed jobs that are remembered, as in aria2 (`--max-download-result`).
  static let mostRemoved = 1000

  subscript(options id: JobID?) -> [String: String] {
    get { options[id] ?? [:] }
    set { options[id] = newValue.isEmpty ? nil : newValue }
  }

  mutating func keep(removed jobs: [Aria2Job]) {
    for var job in jobs {
      job.status = .removed
      (job.rate, job.connections) = (0, 0)
      removed.append(job)
    }
    let surplus = removed.prefix(max(0, removed.count - Aria2Memory.mostRemoved))
    forget(surplus.map(\.id))
  }

  /// The jobs for which options are remembered.
  var described: [JobID] { options.keys.compactMap(\.self) }

  mutating func forgetOptions(of ids: some Sequence<JobID>) {
    for id in ids { options[id] = nil }
  }

  mutating func forget(_ ids: [JobID]) {
    let gone = Set(ids)
    removed.removeAll { gone.contains($0.id) }
    for id in ids { options[id] = nil }
  }
}
