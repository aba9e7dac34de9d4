// The report at the end of a run: what became of its jobs, or why there was nothing to do. The code in this file has no
// effects outside its values.

internal import DrayKit

enum RunReport {
  /// The maximum number of failures that the report repeats.
  private static let most = 20
  /// If a run has more jobs than this, its failures are repeated at the end, because they may have scrolled out of the
  /// window.
  private static let short = 5

  /// Returns lines about what became of the jobs of a run.
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
    // If nothing was completed, no line has come after these.
    guard all > short, summary.complete > 0 || failures.count > short else { return lines }
    lines += failures.prefix(most)
    if failures.count > most {
      lines.append("\(failures.count - most) more; `dray list --state failed,interrupted` shows them")
    }
    return lines
  }

  /// Returns a text about why a run had nothing to do.
  /// - Parameter jobs: The jobs that are not complete, in order.
  static func nothingToDo(_ jobs: [(id: JobID, state: JobState)]) -> String {
    var parts: [String] = []
    for (state, command) in [(JobState.failed, "retry"), (.interrupted, "resume"), (.paused, "resume")] {
      let ids = jobs.filter { $0.state == state }.map(\.id)
      guard !ids.isEmpty else { continue }
      let shown = ids.prefix(5).map { " \($0)" }.joined()
      parts.append("\(ids.count) \(state.rawValue): `dray \(command)\(shown)\(ids.count > 5 ? " …" : "")`")
    }
    let waiting = jobs.count { $0.state == .queued || $0.state == .active }
    if waiting > 0 { parts.append("\(waiting) waiting: `dray list`") }
    return (["nothing to do"] + (parts.isEmpty ? ["`dray add URL` queues a download"] : parts)).joined(separator: "; ")
  }
}
