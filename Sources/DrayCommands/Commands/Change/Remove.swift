// `dray remove`: forgets jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Remove: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove jobs and their part files; finished files stay.",
    discussion: """
      A job that another process is running is stopped there within a second.
      """, aliases: ["rm"])

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "removed", states: Set(JobState.allCases), whole: .remove) {
      (manager, ids) throws(Failure) in
      let outcomes = try await manager.remove(ids)
      for one in outcomes {
        guard case .done(let job) = one.result, try await manager.hasUpload(of: job) else { continue }
        Messages.print("job \(one.id): its upload could not be ended at the server; `dray clean` tries it again")
      }
      return outcomes
    }
  }
}
