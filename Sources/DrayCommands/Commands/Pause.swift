// `dray pause`: stop jobs by hand.

internal import ArgumentParser
internal import DrayKit

struct Pause: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stop jobs and keep their bytes, until they are resumed.",
    discussion: """
      A job that another process is running is stopped there within a second. `dray run` leaves paused jobs alone;
      `dray resume` frees them.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "paused", states: [.queued, .active, .interrupted]) {
      (manager, ids) throws(Failure) in try await manager.pause(ids)
    }
  }
}
