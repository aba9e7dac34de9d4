// The report at the end of a run: what became of its jobs, or why there was nothing to do. The code in this file has no
// effects outside its values.

internal import DrayKit
internal import DrayStore

enum RunReport {
  /// The maximum number of failures that the report repeats.
  private static let most = 20
  /// If a run has more jobs than this, its failures are repeated at the end, because they may have scrolled out of the
  /// window.
  private static let short = 5

  /// Returns lines about the outcomes of a run's jobs.
  /// - Parameter failures: The lines about the jobs that did not succeed, one for each, in order.
  /// - Returns: The lines. There are none for a run of one job, because the job's own line is enough.
  static func lines(_ summary: RunSummary, failures: [String]) -> [String] {
    let interrupted = summary.interrupted - summary.paused - summary.removed
    let all = summary.complete + summary.failed + summary.interrupted
    guard all > 1 else { return [] }
    let parts = [
      (summary.complete, "done"), (summary.failed, "failed"), (interrupted, "interrupted"), (summary.paused, "paused"),
      (summary.removed, "removed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = [parts.joined(separator: ", ")]
    // If nothing was completed, the last lines on the terminal are the failures themselves.
    guard all > short, summary.complete > 0 || failures.count > short else { return lines }
    lines += failures.prefix(most)
    if failures.count > most {
      lines.append("\(failures.count - most) more; `dray list --state failed,interrupted` shows them")
    }
    return lines
  }

  /// Returns a text about why a run had nothing to do.
  /// - Parameters:
  ///   - jobs: The jobs that are not complete, those of a state in order.
  ///   - begin: The time when the run began, in seconds since 1970.
  static func nothingToDo(_ jobs: [Rest], since begin: Double, now: Double) -> String {
    var parts = [HeldJobs(jobs, since: begin)?.text(now: now)].compactMap(\.self)
    for (state, command) in [(JobState.failed, "retry"), (.interrupted, "resume"), (.paused, "resume")] {
      let ids = jobs.filter { $0.state == state && !$0.wasHeld(at: begin) }.map(\.id)
      guard !ids.isEmpty else { continue }
      let shown = ids.prefix(5).map { " \($0)" }.joined()
      parts.append("\(ids.count) \(state.rawValue): `dray \(command)\(shown)\(ids.count > 5 ? " …" : "")`")
    }
    let unstarted = jobs.count { $0.state == .queued || $0.state == .active }
    if unstarted > 0 { parts.append("\(unstarted) waiting: `dray list`") }
    return (["nothing to do"] + (parts.isEmpty ? ["`dray add URL` queues a download"] : parts)).joined(separator: "; ")
  }

  /// A job that a run left as it was.
  struct Rest {
    var id: JobID
    var state: JobState
    /// The earliest time of the next attempt, in seconds since 1970.
    var notBefore: Double?
    var failure: Failure?

    init(_ id: JobID, _ state: JobState, notBefore: Double? = nil, failure: Failure? = nil) {
      (self.id, self.state, self.notBefore, self.failure) = (id, state, notBefore, failure)
    }

    init(_ job: JobSummary) { self.init(job.id, job.state, notBefore: job.notBefore, failure: job.failure) }

    /// Whether a run that began at this time left the job alone, because its server had asked for a longer wait
    /// (`Retry-After`) than the job allows.
    func wasHeld(at begin: Double) -> Bool { state == .interrupted && notBefore ?? 0 > begin }
  }

  /// The jobs whose servers a run did not wait for.
  struct HeldJobs {
    /// In order of their times, at least one.
    private let jobs: [Rest]

    /// Returns `nil` if there is no such job.
    /// - Parameter begin: The time when the run began: only then are interrupted jobs queued.
    init?(_ jobs: [Rest], since begin: Double) {
      self.jobs = jobs.filter { $0.wasHeld(at: begin) }.sorted { $0.notBefore ?? 0 < $1.notBefore ?? 0 }
      if self.jobs.isEmpty { return nil }
    }

    /// Their work is not done, so the run ends as the run that they stopped in.
    var exitStatus: ExitStatus { ExitStatus.combined(Set(jobs.map { $0.failure?.exitStatus ?? .status })) }

    func text(now: Double) -> String {
      let waiting = jobs.filter { $0.notBefore ?? 0 > now }
      var parts: [String] = []
      if let first = waiting.first {
        let until = first.notBefore.map { TimeStamp.moment($0, now: now) } ?? ""
        let cause = first.failure.map { " (\($0.reason))" } ?? ""
        let verb = waiting.count == 1 ? "waits" : "wait"
        parts.append("\(waiting.count) \(verb) until \(until)\(cause): `dray run` continues after that")
      }
      // Some waits may have ended during a long run.
      let free = jobs.count - waiting.count
      if free > 0 { parts.append("\(free) may continue now: `dray run`") }
      return parts.joined(separator: "; ")
    }
  }
}
