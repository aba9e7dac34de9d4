// The options of commands that transfer or show progress.

internal import ArgumentParser
internal import DrayKit

struct RunArguments: ParsableArguments, Sendable {
  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Transfer this many jobs at once (default: auto).",
      discussion: """
        auto begins with \(JobGrowth.few) and transfers more small files at once as long as that helps: up to \
        \(JobGrowth.connections) of one server, or \(JobGrowth.streams) where they share a connection (HTTP/2), and up to \
        \(JobGrowth.streamConnections) such connections. Where each file between \(JobGrowth.small >> 20) and \
        \(JobGrowth.middle >> 20) MiB takes long, it transfers \(JobGrowth.slow) of them. A server that refuses some gets \
        fewer.
        """,
      valueName: "number"))
  var maxConcurrentDownloads: String?

  @Option(
    help: ArgumentHelp(
      "At most this many connections to one server (default: auto).",
      discussion: """
        Over all runners. auto: as many as help. With a number for `-j` the default is \(RunArguments.usualPerHost), or \
        that number if it is larger and on the command line.
        """,
      valueName: "number"))
  var maxPerHost: String?

  @Option(
    help: ArgumentHelp(
      "Limit all jobs together to this many bytes per second.",
      discussion: """
        A rate such as 2M, off, or a timetable: `08:00,512k 19:00,10M 23:00,off`, where a time may have a day \
        (`Sat-10:00,off`). `dray limit` overrides it.
        """,
      valueName: "rate"))
  var maxOverallRate: String?

  @Flag(
    help: ArgumentHelp(
      "Do not wait for the disk: a power cut may leave corrupt files marked complete.",
      discussion:
        "The end of the process, even by kill -9, is harmless. DURABILITY in dray(1) describes what is given up."))
  var noSync = false

  @Option(
    help: ArgumentHelp(
      "Whether the machine is kept awake while bytes move.",
      discussion: "By a lock of logind that systemd-inhibit holds. The screen and the lid do as before.",
      valueName: "when"))
  var inhibit: Inhibition = .auto

  @Option(
    help: ArgumentHelp(
      "Do this when nothing is left to do: sleep, poweroff, or a command.",
      discussion: """
        Whether all jobs are complete or not, but not after a signal; the command gets the exit status in \
        DRAY_RUN_EXIT_STATUS. sleep and poweroff are left out while another dray transfers.
        """, valueName: "action"), completion: .list(["sleep", "poweroff"]))
  var whenDone: String?

  /// The default limit of the connections to one server, if the user gives a number of jobs.
  static let usualPerHost = 8

  /// Returns the options of a run.
  /// - Throws: Kind `usage`.
  func options(waits: Bool = false) throws(Failure) -> RunOptions {
    var options = RunOptions()
    if let text = maxConcurrentDownloads, text != "auto" {
      let jobs = try OptionValue.count(text, "--max-concurrent-downloads", 1...1000)
      options.maxConcurrent = jobs
      // A typed number is meant for this run, which usually uses only one server. A number in the configuration is
      // meant for all servers together.
      let isTyped = !CommandContext.current.configured.contains("max-concurrent-downloads")
      options.maxPerOrigin = isTyped ? max(RunArguments.usualPerHost, jobs) : RunArguments.usualPerHost
    }
    if let text = maxPerHost {
      options.maxPerOrigin = text == "auto" ? nil : try OptionValue.count(text, "--max-per-host", 1...1000)
    }
    if let text = maxOverallRate { options.overallRule = try OptionValue.rateRule(text, "--max-overall-rate") }
    options.syncs = !noSync
    options.waitsForMore = waits
    options.keepsAwake = inhibit == .auto
    options.renewLinks(from: CommandContext.current.sources)
    return options
  }
}

/// The option with the times of a run, for commands that transfer the queue. In commands that fetch URLs, the option of
/// this name sets the times of their jobs.
struct WindowArguments: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Transfer only at these times: 01:00-07:00, or `Mon-Fri 22:00-06:00 Sat,Sun`.",
      discussion: """
        Outside of them transfers are stopped with their bytes kept, and go on by themselves when the next time comes. Jobs \
        may have times of their own. `dray limit --window` overrides it.
        """,
      valueName: "times"))
  var between: String?

  /// Sets the times at which a run transfers.
  /// - Throws: Kind `usage`.
  func apply(to options: inout RunOptions) throws(Failure) {
    if let between { options.window = try OptionValue.read(between, .window, "--between") }
  }
}

extension RunArguments {
  /// Reports at the start of a run that `dray limit --window` limits the times at which it transfers.
  func reportWindow(_ manager: DownloadManager, quiet: Bool) async throws(Failure) {
    guard !quiet, let limit = try await manager.window(), limit.window != nil else { return }
    Messages.print("`dray limit --window '\(limit.text)'` limits the times; `dray limit --window auto` ends it")
  }

  /// Reports at the start of a run that a limit of `dray limit` applies to it, or replaces its own rate. This is useful
  /// because the user may have set that limit long ago.
  func reportLimit(_ manager: DownloadManager, _ options: RunOptions, quiet: Bool) async throws(Failure) {
    guard !quiet, let limit = try await manager.limit(), limit.rule != options.overallRule else { return }
    let overridden = maxOverallRate.map { RunArguments.overridden($0, by: limit.text) }
    Messages.print(overridden ?? RunArguments.limited(by: limit.text))
  }

  /// Returns the message about a limit that comes only from `dray limit`.
  static func limited(by limit: String) -> String {
    "`dray limit \(limit)` limits all jobs together; `dray limit auto` ends it"
  }

  /// Returns the message about a rate that `dray limit` replaces.
  static func overridden(_ own: String, by limit: String) -> String {
    "`dray limit \(limit)` overrides --max-overall-rate \"\(own)\"; `dray limit auto` returns to it"
  }
}

/// When a run keeps the machine awake.
enum Inhibition: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, off

  static var allValueDescriptions: [String: String] {
    ["auto": "while bytes move, where there is logind", "off": "never"]
  }
}

enum ProgressStyle: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, bars, plain, json, none

  /// Parses the value of the option, also in the form that wget uses: `bar:force`, `dot:giga`.
  init?(argument: String) {
    switch argument.prefix(while: { $0 != ":" }) {
    case "bar": self = .bars
    case "dot": self = .plain
    default: self.init(rawValue: argument)
    }
  }

  static var allValueDescriptions: [String: String] {
    [
      "auto": "bars on a terminal, otherwise plain lines", "bars": "a bar for each file",
      "plain": "a line now and then",
      "json": "events as lines of JSON, on standard output", "none": "nothing but errors and the summary",
    ]
  }
}
