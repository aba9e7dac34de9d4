// `dray watch`: bars of whatever runs, from any terminal.

internal import ArgumentParser
internal import DrayKit

struct Watch: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch what runs, in whatever process.",
    discussion: """
      Shows the active jobs, or those named, until none of them is active. Ctrl-C ends the watching and nothing else.
      """)

  @Argument(
    help: ArgumentHelp("The jobs; all that are active unless told.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(help: "How progress is shown: auto is bars on a terminal, else plain lines.")
  var progress: ProgressStyle = .auto

  func execute() async throws -> ExitStatus {
    let numbers = try JobIDs.parse(ids)
    let manager = try Store.look()
    for number in numbers { _ = try JobIDs.job(number, manager) }
    var display = try DisplayArguments.parse([])
    display.progress = progress
    let style = SessionStyle(display)
    guard let manager else { return WatchSession.nothing() }
    return try await WatchSession(manager, numbers.isEmpty ? nil : Set(numbers), style).run()
  }
}
