// The reports and the exit status that pause, resume, retry and remove share.

internal import DrayKit
internal import DrayStore

enum Control {
  /// Applies `action` to the selected jobs, and reports each outcome.
  /// - Parameters:
  ///   - done: The participle for the report, such as "paused".
  ///   - next: The clause on the next step for one job and for several, such as "; `dray run` starts it".
  ///   - states: The states of the jobs that `--all` selects.
  ///   - whole: The action, if the store can apply it to all jobs in some states.
  static func perform(
    _ selection: JobSelection, done: String, next: (one: String, many: String) = ("", ""), states: Set<JobState>,
    whole: ControlAction? = nil,
    _ action: (DownloadManager, [JobID]) async throws(Failure) -> [DownloadManager.ControlOutcome]
  ) async throws(Failure) -> ExitStatus {
    let manager = try await Store.look()
    var report = Report(selection: selection, done: done, next: next)
    if let manager, let whole, let states = try selection.wholeStates(of: states) {
      let count = try await manager.all(whole, in: states) { (ids) throws(Failure) in
        report.add(try await action(manager, ids))
      }
      report.count += count
    } else {
      var rest = try await selection.resolve(manager, states: states)[...]
      // In batches, so that other processes never wait long.
      while let manager, !rest.isEmpty {
        report.add(try await action(manager, Array(rest.prefix(batch))))
        rest = rest.dropFirst(batch)
      }
    }
    return report.end()
  }

  private static let batch = 5000

  /// The report of a command. Keeps only counts, because there may be millions of jobs.
  private struct Report {
    let selection: JobSelection
    let done: String
    let next: (one: String, many: String)
    /// The jobs for which the command was carried out, or whose runner was asked.
    var count = 0
    private var isEmpty = true
    private var status = ExitStatus.success

    init(selection: JobSelection, done: String, next: (one: String, many: String)) {
      (self.selection, self.done, self.next) = (selection, done, next)
    }

    /// Whether the jobs are not reported one by one.
    private var isMany: Bool { selection.all || selection.namesGroups || selection.selectsByState }

    mutating func add(_ outcomes: [DownloadManager.ControlOutcome]) {
      if !outcomes.isEmpty { isEmpty = false }
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
    }

    func end() -> ExitStatus {
      guard !selection.quiet else { return status }
      if count == 0, isEmpty {
        Messages.print("no matching jobs: nothing was \(done)")
      } else if isMany {
        let then = count == 0 ? "" : count == 1 ? next.one : next.many
        Messages.print("\(count) \(count == 1 ? "job" : "jobs") \(done)\(then)")
      }
      return status
    }
  }
}
