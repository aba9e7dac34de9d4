// `dray retry`: starts jobs again from the beginning.

internal import ArgumentParser
internal import DrayKit

struct Retry: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Start failed jobs over from the beginning.",
    discussion: """
      Received bytes are discarded. To continue an interrupted job with the bytes it has, use `dray resume`.

      EXAMPLES
        dray retry 7
        dray retry --state failed --code 4
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(
      jobs, done: "queued", next: ("; `dray run` starts it", "; `dray run` starts them"), states: [.failed]
    ) {
      (manager, ids, _) throws(Failure) in try await manager.retry(ids)
    }
  }
}
