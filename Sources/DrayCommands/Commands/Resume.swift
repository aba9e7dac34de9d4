// `dray resume`: queue stopped jobs again.

internal import ArgumentParser
internal import DrayKit

struct Resume: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Continue paused and interrupted jobs from the bytes they have.",
    discussion: """
      They are started at once by a running `dray run`, else by the next one. A delay that a server asked for is
      cancelled.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "queued", states: [.queued, .interrupted, .paused]) {
      (manager, ids) throws(Failure) in try await manager.resume(ids)
    }
  }
}
