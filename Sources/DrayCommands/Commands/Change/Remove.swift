// `dray remove`: forgets jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Remove: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove jobs and their part files; finished files stay.",
    discussion: """
      A job that another process is running is stopped there within a second. Of a group, jobs stay for whose files other \
      images or snapshots wait.
      """, aliases: ["rm"])

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    let named = Set(try jobs.named())
    var removed: ArrangementRule.Removed?
    return try await Control.perform(jobs, done: "removed", states: Set(JobState.allCases), whole: .remove) {
      (manager, ids, all) throws(Failure) in
      if jobs.namesGroups, removed == nil { removed = try await manager.removedNames(of: all) }
      // A job that is named itself is removed, whoever else waits for its file.
      let (own, others) = (ids.filter(named.contains), ids.filter { !named.contains($0) })
      let outcomes = try await manager.remove(own) + manager.remove(others, with: removed)
      let spared = ids.count - outcomes.count
      if spared > 0, !jobs.quiet {
        Messages.print(
          "\(spared) \(spared == 1 ? "job stays" : "jobs stay"), because other images or snapshots wait for the same files"
        )
      }
      for one in outcomes where !jobs.quiet && !jobs.mayBeMany {
        guard case .done(let job) = one.result, !job.state.isFinished, job.specification.arrangements.count > 1 else {
          continue
        }
        Messages.print(
          "job \(one.id): another image or snapshot waited for its file; repeat the command that asked for it")
      }
      for one in outcomes {
        guard case .done(let job) = one.result, try await manager.hasUpload(of: job) else { continue }
        Messages.print("job \(one.id): its upload could not be ended at the server; `dray clean` tries it again")
      }
      return outcomes
    }
  }
}
