// `dray remove`: forgets jobs.

internal import ArgumentParser
internal import DrayKit

struct Remove: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove jobs and their part files; finished files stay.",
    discussion: """
      A job that another process is running is stopped there within a second.
      """, aliases: ["rm"])

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "removed", states: Set(JobState.allCases)) {
      (manager, ids) throws(Failure) in try await manager.remove(ids)
    }
  }
}
