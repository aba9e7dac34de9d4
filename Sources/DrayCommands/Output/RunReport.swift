// The report at the end of a run: the outcomes of its jobs, or why there was nothing to do. Pure.

internal import DrayKit

enum RunReport {
  /// The maximum number of repeated failures.
  private static let most = 20
  /// A run with more jobs than this repeats its failures, which may have scrolled away.
  private static let short = 5

  /// Returns the outcomes of a run's jobs.
  /// - Parameter failures: The lines on jobs that did not succeed, one for each, in order.
  /// - Returns: Nothing for a run of one job, whose own line is sufficient.
  static func lines(_ summary: RunSummary, failures: [String]) -> [String] {
    let interrupted = summary.interrupted - summary.paused - summary.removed
    let all = summary.complete + summary.failed + summary.interrupted
    guard all > 1 else { return [] }
    let parts = [
      (summary.complete, "done"), (summary.failed, "failed"), (interrupted, "interrupted"), (summary.paused, "paused"),
      (summary.removed, "removed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = [parts.joined(separator: ", ")]
    guard all > short else { return lines }
    lines += failures.prefix(most)
    if failures.count > most {
      lines.append("\(failures.count - most) more; `dray list --state failed,interrupted` shows them")
    }
    return lines
  }

  /// Returns why a run had nothing to do.
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
