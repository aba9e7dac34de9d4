// The reports and the exit status that pause, resume, retry and remove share.

internal import DrayKit
internal import DrayStore

enum Control {
  /// Applies `action` to the selected jobs, and reports each outcome.
  /// - Parameters:
  ///   - done: The participle for the report, such as "paused".
  ///   - next: The clause on the next step for one job and for several, such as "; `dray run` starts it".
  ///   - states: The states of the jobs that `--all` selects.
  static func perform(
    _ selection: JobSelection, done: String, next: (one: String, many: String) = ("", ""), states: Set<JobState>,
    _ action: (DownloadManager, [JobID]) async throws(Failure) -> [DownloadManager.ControlOutcome]
  ) async throws(Failure) -> ExitStatus {
    let manager = try await Store.look()
    let ids = try await selection.resolve(manager, states: states)
    guard let manager, !ids.isEmpty else {
      if !selection.quiet { Messages.print("no matching jobs: nothing was \(done)") }
      return .success
    }
    // In batches, so that other processes never wait long.
    var outcomes: [DownloadManager.ControlOutcome] = []
    var rest = ids[...]
    while !rest.isEmpty {
      outcomes += try await action(manager, Array(rest.prefix(batch)))
      rest = rest.dropFirst(batch)
    }
    return report(outcomes, selection, done, next)
  }

  /// The number of jobs that are changed in one step.
  private static let batch = 5000

  private static func report(
    _ outcomes: [DownloadManager.ControlOutcome], _ selection: JobSelection, _ done: String,
    _ next: (one: String, many: String)
  ) -> ExitStatus {
    var status = ExitStatus.success
    var count = 0
    // Do not report thousands of jobs one by one.
    let isMany = selection.all || selection.namesGroups || selection.selectsByState
    for (id, result) in outcomes {
      switch result {
      case .done:
        count += 1
        if !isMany, !selection.quiet { Messages.print("[\(id)] \(done)\(next.one)") }
      case .asked:
        count += 1
        if !selection.quiet { Messages.print("[\(id)] its runner was asked and has not answered yet") }
      case .refused(let reason, let advice):
        Messages.print("job \(id) \(JobIDs.refusal(done, reason, advice))")
        status = .other
      case .unknown:
        // The job was removed after the lookup.
        Messages.print(JobIDs.unknown(id))
        status = .usage
      }
    }
    if isMany, !selection.quiet {
      let then = count == 0 ? "" : count == 1 ? next.one : next.many
      Messages.print("\(count) \(count == 1 ? "job" : "jobs") \(done)\(then)")
    }
    return status
  }
}
