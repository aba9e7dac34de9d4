// What the service knows of aria2's clients, as long as it runs: no store has a place for it.

internal import DrayCore

/// Jobs that were removed, and options that mean nothing here.
struct Aria2Memory: Sendable {
  /// Jobs that were active when they were removed, the oldest first: clients look for what became of them.
  private(set) var removed: [Aria2Job] = []
  private var options: [JobID?: [String: String]] = [:]

  /// As many as aria2 keeps of what has stopped (`--max-download-result`).
  static let mostRemoved = 1000

  subscript(options id: JobID?) -> [String: String] {
    get { options[id] ?? [:] }
    set { options[id] = newValue.isEmpty ? nil : newValue }
  }

  /// Keeps how jobs were when they were removed.
  mutating func keep(removed jobs: [Aria2Job]) {
    for var job in jobs {
      job.status = .removed
      (job.rate, job.connections) = (0, 0)
      removed.append(job)
    }
    let surplus = removed.prefix(max(0, removed.count - Aria2Memory.mostRemoved))
    forget(surplus.map(\.id))
  }

  mutating func forget(_ ids: [JobID]) {
    let gone = Set(ids)
    removed.removeAll { gone.contains($0.id) }
    for id in ids { options[id] = nil }
  }
}
