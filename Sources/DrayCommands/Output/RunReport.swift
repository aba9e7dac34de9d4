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
  /// - Parameter jobs: The jobs that are not complete, in order.
  static func nothingToDo(_ jobs: [Rest], now: Double) -> String {
    let waiting = HeldJobs(jobs, now: now)
    var parts = [waiting?.text(now: now)].compactMap(\.self)
    for (state, command) in [(JobState.failed, "retry"), (.interrupted, "resume"), (.paused, "resume")] {
      let ids = jobs.filter { $0.state == state && !$0.isHeld(at: now) }.map(\.id)
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

    /// Whether a run ends before this job's next attempt, which its server asked for (`Retry-After`).
    func isHeld(at now: Double) -> Bool { state == .interrupted && notBefore ?? 0 > now }
  }

  /// The jobs whose servers a run does not wait for.
  struct HeldJobs {
    /// In order of their times, at least one.
    private let jobs: [Rest]

    /// Returns `nil` if there is no such job.
    init?(_ jobs: [Rest], now: Double) {
      self.jobs = jobs.filter { $0.isHeld(at: now) }.sorted { $0.notBefore ?? 0 < $1.notBefore ?? 0 }
      if self.jobs.isEmpty { return nil }
    }

    /// Their work is not done, so the run ends as the run that they stopped in.
    var exitStatus: ExitStatus { ExitStatus.combined(Set(jobs.map { $0.failure?.exitStatus ?? .status })) }

    func text(now: Double) -> String {
      let until = jobs[0].notBefore.map { TimeStamp.moment($0, now: now) } ?? ""
      let cause = jobs[0].failure.map { " (\($0.reason))" } ?? ""
      let verb = jobs.count == 1 ? "waits" : "wait"
      return "\(jobs.count) \(verb) until \(until)\(cause): `dray run` continues after that"
    }
  }
}
