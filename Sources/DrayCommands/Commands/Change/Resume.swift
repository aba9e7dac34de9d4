// `dray resume`: puts stopped jobs back into the queue.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Resume: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Continue paused and interrupted jobs from the bytes they have.",
    discussion: """
      They are started at once by a running `dray run`, else by the next one. Where a server asked to wait, it is asked once for
      each of them; if it refuses again, they wait again.
      """)

  @OptionGroup var jobs: JobSelection

  func execute() async throws -> ExitStatus {
    try await Control.perform(jobs, done: "queued", states: [.queued, .interrupted, .paused], whole: .resume) {
      (manager, ids, _) throws(Failure) in try await manager.resume(ids)
    }
  }
}
