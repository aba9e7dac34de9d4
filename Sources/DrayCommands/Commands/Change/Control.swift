// The reports and the exit status that the commands pause, resume, retry and remove share.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

enum Control {
  /// Applies `action` to the selected jobs, and reports the outcome for each job.
  /// - Parameters:
  ///   - done: The participle that the report uses, such as "paused".
  ///   - next: The part of the report that says what to do next, for one job and for several, such as "; `dray run`
  ///     starts it".
  ///   - states: The states of the jobs that `--all` selects.
  ///   - whole: The same action as a single operation of the store on all jobs in some states; `nil` if there is none.
  ///   - action: Receives some of the selected jobs, and all of them.
  static func perform(
    _ selection: JobSelection, done: String, next: (one: String, many: String) = ("", ""), states: Set<JobState>,
    whole: ControlAction? = nil,
    _ action: (DownloadManager, [JobID], _ all: [JobID]) async throws(Failure) -> [DownloadManager.ControlOutcome]
  ) async throws(Failure) -> ExitStatus {
    let manager = try await Store.look()
    var report = Report(selection: selection, done: done, next: next, deletesBytes: whole == .remove)
    if let manager, let whole, let states = try selection.wholeStates(of: states) {
      let count = try await manager.all(whole, in: states) { (ids) throws(Failure) in
        report.add(try await action(manager, ids, ids))
      }
      report.count += count
    } else {
      let all = try await selection.resolve(manager, states: states)
      var rest = all[...]
      // The jobs are handled in batches, so that other processes never wait long.
      while let manager, !rest.isEmpty {
        report.isEmpty = false
        report.add(try await action(manager, Array(rest.prefix(batch)), all))
        rest = rest.dropFirst(batch)
      }
    }
    return report.end()
  }

  private static let batch = 5000

  /// The report that a command prints. It contains only counts, because there may be millions of jobs.
  private struct Report {
    let selection: JobSelection
    let done: String
    let next: (one: String, many: String)
    /// The number of jobs for which the action was done, or whose runner was asked to do it.
    var count = 0
    /// Whether the action deletes the part files of jobs.
    let deletesBytes: Bool
    /// The number of bytes that the action deleted.
    private var deleted: Int64 = 0
    /// Whether no job was selected.
    var isEmpty = true
    private var status = ExitStatus.success

    init(selection: JobSelection, done: String, next: (one: String, many: String), deletesBytes: Bool) {
      (self.selection, self.done, self.next, self.deletesBytes) = (selection, done, next, deletesBytes)
    }

    mutating func add(_ outcomes: [DownloadManager.ControlOutcome]) {
      if !outcomes.isEmpty { isEmpty = false }
      for (id, result) in outcomes {
        switch result {
        case .done(let job):
          count += 1
          if deletesBytes, !job.state.isFinished, job.specification.place.traits.keepsPartFiles {
            deleted = deleted.saturatingSum(job.checkpoint.segments.count)
          }
          if !selection.mayBeMany, !selection.quiet { Messages.print("[\(id)] \(done)\(next.one)") }
        case .asked:
          count += 1
          if !selection.quiet { Messages.print("[\(id)] its runner was asked and has not answered yet") }
        case .refused(let reason, let advice):
          Messages.print("job \(id) \(JobIDs.refusal(done, reason, advice))")
          status = .other
        case .unknown:
          // Another process removed the job after it was looked up.
          Messages.print(JobIDs.unknown(id))
          status = .usage
        }
      }
    }

    func end() -> ExitStatus {
      guard !selection.quiet else { return status }
      if count == 0, isEmpty {
        Messages.print("no matching jobs: nothing was \(done)")
      } else if selection.mayBeMany {
        let then = count == 0 ? "" : count == 1 ? next.one : next.many
        let bytes = deleted > 0 ? "; \(ByteText.size(deleted)) of unfinished downloads deleted" : ""
        Messages.print("\(count) \(count == 1 ? "job" : "jobs") \(done)\(then)\(bytes)")
      }
      return status
    }
  }
}
