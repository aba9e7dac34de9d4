internal import ArgumentParser
internal import DrayKit

/// The options of commands that show the progress of transfers.
struct DisplayArguments: ParsableArguments, Sendable {
  @Option(help: "How to show progress: auto means bars on a terminal, otherwise plain lines.")
  var progress: ProgressStyle = .auto

  @Flag(help: "Print the paths of completed files on standard output, also into a pipe.")
  var printPath = false

  @Flag(name: .shortAndLong, help: "Print only errors.")
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      "Send a desktop notification when all jobs are done.",
      discussion: "With notify-send if available, otherwise by the terminal (OSC 777, OSC 9)."))
  var notify = false

  @Option(
    help: ArgumentHelp("Notify only of runs that took this long (default: 0).", valueName: "time"))
  var notifyAfter: String?

  @Flag(help: "Ring the terminal bell when all jobs are done.")
  var bell = false

  @Flag(name: .shortAndLong, help: "Print more: redirects and answers.")
  var verbose = false
}
