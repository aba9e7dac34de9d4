// `dray watch`: bars of whatever runs, from any terminal.

internal import ArgumentParser
internal import DrayKit

struct Watch: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch what runs, in whatever process.",
    discussion: """
      Shows the active jobs, or those named, until none of them is active. Ctrl-C ends the watching and nothing else. \
      With --json, the events of all runners come as lines of JSON, those of jobs that are added meanwhile as well: until \
      Ctrl-C, or until the jobs that were named have ended.

      EXAMPLE
        dray watch --json | jq -r 'select(.event == "complete") | .target'
      """)

  @Argument(
    help: ArgumentHelp("The jobs; all that are active unless told.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(help: "How progress is shown: auto is bars on a terminal, else plain lines.")
  var progress: ProgressStyle = .auto

  @Flag(help: "Print events as lines of JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let numbers = try JobIDs.parse(ids)
    // Whoever waits for events has a store to wait at, be it empty.
    let manager = json && numbers.isEmpty ? try Store.open() : try Store.look()
    for number in numbers { _ = try JobIDs.job(number, manager) }
    if json, let manager { return try await WatchStream(manager, numbers.isEmpty ? nil : numbers).run() }
    var display = try DisplayArguments.parse([])
    display.progress = progress
    let style = SessionStyle(display)
    guard let manager else { return WatchSession.nothing() }
    return try await WatchSession(manager, numbers.isEmpty ? nil : Set(numbers), style).run()
  }
}
