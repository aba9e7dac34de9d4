// `dray resume`: queue stopped jobs again.

internal import ArgumentParser
internal import DrayKit

struct Resume: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Queue paused and interrupted jobs again, with what they have.",
    discussion: """
      They are tried at once by a runner that is there, else by the next `dray run`. A wait that a server asked for is
      ended.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "queued", states: [.queued, .interrupted, .paused]) {
      (manager, ids) throws(Failure) in try await manager.resume(ids)
    }
  }
}
