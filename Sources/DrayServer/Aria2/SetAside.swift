// The jobs that clients removed while they had bytes. aria2 leaves such bytes on the disk, and continues from them if
// the same download is added again. In dray the job keeps its bytes, paused, until its result is removed as well (P5).

internal import DrayCore

/// The removed jobs whose bytes are kept.
struct SetAside: Sendable, Equatable {
  /// The maximum number of jobs, as of removed downloads in aria2 (`--max-download-result`).
  static let most = 1000

  /// The number of attempts of each job when it was removed. A job with more attempts was continued since.
  private var attempts: [JobID: Int] = [:]

  /// Reads the jobs from a store's setting; ignores unknown parts.
  init(_ text: String) {
    for entry in text.split(separator: " ") {
      let parts = entry.split(separator: ":")
      if parts.count == 2, let id = JobID(parts[0]), let count = Int(parts[1]) { attempts[id] = count }
    }
  }

  /// The store's setting; `nil` without jobs.
  var text: String? {
    isEmpty ? nil : ids.map { "\($0):\(attempts[$0] ?? 0)" }.joined(separator: " ")
  }

  var isEmpty: Bool { attempts.isEmpty }

  /// The jobs, oldest first.
  var ids: [JobID] { attempts.keys.sorted() }

  /// The oldest jobs, which exceed ``most``.
  var surplus: [JobID] { Array(ids.prefix(max(0, attempts.count - SetAside.most))) }

  func contains(_ id: JobID) -> Bool { attempts[id] != nil }

  /// Whether a job is one of these, and was not continued since.
  func has(_ job: Aria2Job) -> Bool { job.status == .paused && attempts[job.id] == job.attempts }

  mutating func insert(_ id: JobID, attempts count: Int) { attempts[id] = count }

  mutating func remove(_ ids: [JobID]) {
    for id in ids { attempts[id] = nil }
  }

  /// Drops jobs that are gone or were continued.
  /// - Parameter present: The jobs as they are now.
  mutating func prune(_ present: [JobID: Aria2Job]) {
    attempts = attempts.filter { present[$0.key]?.attempts == $0.value }
  }
}
