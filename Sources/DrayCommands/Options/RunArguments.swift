// The options of commands that transfer, and of those that show progress.

internal import ArgumentParser
internal import DrayKit

struct RunArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp("Transfer this many jobs at once (5 unless told).", valueName: "number"))
  var maxConcurrentDownloads: String?

  @Option(
    help: ArgumentHelp(
      "Of those, from one server (8 unless told, or as many as -j on the command line asks for).", valueName: "number"))
  var maxPerHost: String?

  @Option(
    help: ArgumentHelp(
      "Bytes a second of all jobs together.",
      discussion: """
        A rate such as 2M, off, or a timetable: `08:00,512k 19:00,10M 23:00,off`, where a day may stand before a time \
        (`Sat-10:00,off`). `dray limit` comes before it.
        """,
      valueName: "rate"))
  var maxOverallRate: String?

  @Flag(
    help: ArgumentHelp(
      "Do not wait for the disk: a power cut may leave files in pieces that are called complete.",
      discussion: "The end of the process, kill -9 too, does no harm. dray(1) says what is given up."))
  var noSync = false

  /// The options of a run.
  /// - Throws: kind `usage`.
  func options(waits: Bool = false) throws(Failure) -> RunOptions {
    var options = RunOptions()
    if let text = maxConcurrentDownloads {
      options.maxConcurrent = try OptionValue.count(text, "--max-concurrent-downloads", 1...1000)
      // Whoever types a number means this very run, which mostly is of one server. In the configuration it is about all
      // of them together.
      if !CommandContext.current.configured.contains("max-concurrent-downloads") {
        options.maxJobsPerOrigin = max(options.maxJobsPerOrigin, options.maxConcurrent)
      }
    }
    if let text = maxPerHost { options.maxJobsPerOrigin = try OptionValue.count(text, "--max-per-host", 1...1000) }
    if let text = maxOverallRate { options.overallRule = try OptionValue.rateRule(text, "--max-overall-rate") }
    options.syncs = !noSync
    options.waitsForMore = waits
    return options
  }
}

/// How progress is shown.
enum ProgressStyle: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, bars, plain, json, none
}

struct DisplayArguments: ParsableArguments, Sendable {
  @Option(help: "How progress is shown: auto is bars on a terminal, else plain lines.")
  var progress: ProgressStyle = .auto

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      "Tell the desktop when all is done.",
      discussion: "By notify-send where that is there, else by the terminal itself (OSC 777, OSC 9)."))
  var notify = false

  @Option(
    help: ArgumentHelp("Notify of runs only that took this long (0 unless told).", valueName: "time"))
  var notifyAfter: String?

  @Flag(help: "Ring the terminal's bell when all is done.")
  var bell = false

  @Flag(name: .shortAndLong, help: "Say more: redirects and answers.")
  var verbose = false
}
