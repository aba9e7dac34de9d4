// `dray watch`: bars of whatever runs, from any terminal.

internal import ArgumentParser
internal import DrayKit

struct Watch: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Watch active jobs, in any process.",
    discussion: """
      Shows the active jobs, or those named, until none of them is active. Ctrl-C ends the display, not the jobs. \
      With --json, prints the events of all runners as lines of JSON, including those of jobs added meanwhile, until \
      Ctrl-C or until the named jobs have ended.

      EXAMPLE
        dray watch --json | jq -r 'select(.event == "complete") | .target'
      """)

  @Argument(
    help: ArgumentHelp("The jobs (default: all active ones).", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(help: "How to show progress: auto means bars on a terminal, otherwise plain lines.")
  var progress: ProgressStyle = .auto

  @Flag(help: "Print events as lines of JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    let numbers = try JobIDs.parse(ids)
    // A watcher needs a store, even an empty one.
    let manager = await json && numbers.isEmpty ? try Store.open() : try Store.look()
    for number in numbers { _ = try JobIDs.job(number, manager) }
    if json, let manager { return try await WatchStream(manager, numbers.isEmpty ? nil : numbers).run() }
    var display = try DisplayArguments.parse([])
    display.progress = progress
    let style = SessionStyle(display)
    guard let manager else { return WatchSession.nothing() }
    return try await WatchSession(manager, numbers.isEmpty ? nil : Set(numbers), style).run()
  }
}
