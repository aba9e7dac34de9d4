// Texts about why a job waits.

internal import DrayKit
internal import DrayStore
internal import Threads

enum JobWait {
  /// Returns `waits for 3, 4`, `starts 23:00`, `until 12:05: …`, `waits until 22:00` or `retry at 12:05`; `nil` if the
  /// job only waits for its turn, or has ended.
  /// - Parameter queues: The facts that explain why jobs wait.
  static func text(_ facts: JobSummary, now: Double, queues: WaitContext? = nil) -> String? {
    (queues ?? WaitContext(now: now)).reason(facts, at: now).flatMap { text($0, now: now) }
  }

  static func text(_ reason: WaitReason, now: Double) -> String? {
    switch reason {
    case .prerequisites(let ids): "waits for \(names(ids))"
    case .start(let time): "starts \(TimeStamp.moment(time, now: now))"
    case .queue(let name, let gate): QueueText.wait(name, gate, now: now)
    case .queueRoom(let name, let limit): QueueText.room(name, limit)
    case .hold(let hold): HoldText.text(hold, now: now)
    case .window(let opening): "waits until \(TimeStamp.moment(opening, now: now))"
    case .retry(let time): "retry at \(TimeStamp.moment(time, now: now))"
    case .longWait(let time): "not before \(TimeStamp.moment(time, now: now))"
    case .origin(let origin, let limit, true):
      "waits for \(TextSafety.escaped(origin)): \(limit == 1 ? "one" : "\(limit)") at a time, as it refused more"
    case .origin(let origin, let limit, false): "\(TextSafety.escaped(origin)) has \(limit) already"
    case .lease(let age): "its runner is silent for \(Int(age)) s"
    // The error in the same row already says that the disk is full.
    case .disk: nil
    }
  }

  static func names(_ ids: [JobID]) -> String { ids.map { "\($0)" }.joined(separator: ", ") }

  /// Returns lines about those jobs of a `dray get` that cannot start at once. Only the first jobs are examined,
  /// because there may be 100,000.
  static func lines(_ ids: [JobID], _ manager: DownloadManager) async throws(Failure) -> [String] {
    var lines: [String] = []
    let (store, now) = (manager.jobs, WallClock.now())
    let context = QueueText.waits(try await manager.namedQueues(), now: now)
    for job in try await store.jobs(ids: Array(ids.prefix(20))) {
      var own = job
      (own.specification.startAt, own.specification.window, own.notBefore) = (nil, nil, nil)
      if case .queue(let name, let gate)? = context.reason(own, waitsFor: [], hold: nil),
        let words = QueueText.wait(name, gate, now: now)
      {
        lines.append("[\(job.id)] waits: \(words)")
      }
      for other in try await store.jobs(ids: try await store.prerequisites(of: job.id)) {
        let advice =
          switch other.state {
          case .queued, .interrupted: "; `dray run` transfers it"
          case .paused: "; `dray resume \(other.id)` continues it"
          default: ""
          }
        lines.append("[\(job.id)] waits for job \(other.id), which \(other.state.predicate)\(advice)")
      }
      own.specification.queue = nil
      (own.specification.startAt, own.specification.window) = (job.specification.startAt, job.specification.window)
      if let words = context.reason(own, waitsFor: [], hold: nil).flatMap({ text($0, now: now) }) {
        lines.append("[\(job.id)] \(words)")
      }
    }
    return lines
  }
}
