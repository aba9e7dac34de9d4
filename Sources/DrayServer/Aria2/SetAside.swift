// Records the jobs that clients removed although they had bytes. aria2 leaves the bytes of such a download on the disk,
// and continues from them if the same download is added again. In dray, such a job stays in the store, paused, with its
// bytes, until a client removes its result as well (P5).

internal import DrayCore

/// The removed jobs whose bytes are kept.
struct SetAside: Sendable, Equatable {
  /// The maximum number of jobs, equal to that of removed downloads in aria2 (`--max-download-result`).
  static let most = 1000

  /// The number of attempts that each job had when it was removed. A job that has more attempts now was continued after
  /// its removal.
  private var attempts: [JobID: Int] = [:]

  /// Reads the jobs from the text in the store; parts that are unknown are ignored.
  init(_ text: String) {
    for entry in text.split(separator: " ") {
      let parts = entry.split(separator: ":")
      if parts.count == 2, let id = JobID(parts[0]), let count = Int(parts[1]) { attempts[id] = count }
    }
  }

  /// The text for the store; `nil` if there are no jobs.
  var text: String? {
    isEmpty ? nil : ids.map { "\($0):\(attempts[$0] ?? 0)" }.joined(separator: " ")
  }

  var isEmpty: Bool { attempts.isEmpty }

  /// The jobs, oldest first.
  var ids: [JobID] { attempts.keys.sorted() }

  /// The oldest jobs, as many as there are above ``most``.
  var surplus: [JobID] { Array(ids.prefix(max(0, attempts.count - SetAside.most))) }

  func contains(_ id: JobID) -> Bool { attempts[id] != nil }

  /// Whether a job is recorded here and was not continued after its removal.
  func has(_ job: Aria2Job) -> Bool { job.status == .paused && attempts[job.id] == job.attempts }

  mutating func insert(_ id: JobID, attempts count: Int) { attempts[id] = count }

  mutating func remove(_ ids: [JobID]) {
    for id in ids { attempts[id] = nil }
  }

  /// Drops the jobs that no longer exist or were continued.
  /// - Parameter present: The recorded jobs in their present state.
  mutating func prune(_ present: [JobID: Aria2Job]) {
    attempts = attempts.filter { present[$0.key]?.attempts == $0.value }
  }
}
