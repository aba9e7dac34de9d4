// The store in memory: named queues.

package import DrayCore
import DrayStore

extension MemoryStore {
  package func queues() -> [NamedQueue] { look { $0.queues.values.sorted { $0.name < $1.name } } }

  package func changeQueue(
    _ name: String, _ change: @escaping @Sendable (inout QueueSettings) -> Void
  ) throws(Failure) -> NamedQueue {
    try self.change { state in
      var queue = state.queues[name] ?? NamedQueue(name)
      change(&queue.settings)
      state.queues[name] = queue
      return queue
    }
  }

  package func removeQueue(_ name: String) throws(Failure) -> Bool {
    try change { $0.queues.removeValue(forKey: name) != nil }
  }

  package func queueCounts() -> [String: [JobState: Int]] {
    look { state in
      state.rows.values.reduce(into: [:]) { counts, row in
        if let queue = row.job.specification.queue { counts[queue, default: [:]][row.job.state, default: 0] += 1 }
      }
    }
  }

  package func addUsage(_ bytes: Int64, of queue: String, since begin: Double) throws(Failure) {
    try change { state in
      guard let usage = state.queues[queue]?.usage else { return }
      let before = usage.since == begin ? usage.bytes : 0
      state.queues[queue]?.usage = QueueUsage(bytes: before + bytes, since: begin)
    }
  }
}
