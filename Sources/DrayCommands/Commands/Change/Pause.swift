// `dray pause`: pauses jobs until the user resumes them.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Pause: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Stop jobs until they are resumed, keeping their bytes.",
    discussion: """
      A job that another process is running is stopped there within a second. `dray run` does not start paused jobs;
      `dray resume` queues them again.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "paused", states: [.queued, .active, .interrupted], whole: .pause) {
      (manager, ids, _) throws(Failure) in try await manager.pause(ids)
    }
  }
}
