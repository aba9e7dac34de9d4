// `dray retry`: start jobs over.

internal import ArgumentParser
internal import DrayKit

struct Retry: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Start failed jobs over from nothing.",
    discussion: """
      What was received is dropped. An interrupted job goes on with what it has by `dray resume` instead.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "queued", states: [.failed]) {
      (manager, ids) throws(Failure) in try await manager.retry(ids)
    }
  }
}
