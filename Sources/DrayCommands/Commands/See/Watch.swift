// `dray watch`: shows and controls the jobs of all processes.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import TerminalUI

struct Watch: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watch active jobs, in any process.",
    discussion: """
      On a terminal, shows all jobs, or those named, and takes keys: ? shows which. q leaves; the jobs go on. \
      With --progress bars or plain, or without a terminal, shows the active jobs until none is active. With --json, prints the events of all runners as lines of JSON, including those of jobs added meanwhile, until \
      Ctrl-C or until the named jobs have ended.

      EXAMPLE
        dray watch --json | jq -r 'select(.event == "complete") | .target'
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is all of a group (default: all active ones).", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(help: "How to show progress: auto means the whole screen on a terminal, otherwise plain lines.")
  var progress: ProgressStyle = .auto

  @Flag(help: "Print events as lines of JSON.")
  var json = false

  func execute() async throws -> ExitStatus {
    // The full screen and the stream of events need a store, even if it is empty.
    let display = try display()
    let style = SessionStyle(display)
    let isProgram = !json && progress == .auto && style.profile.isInteractive && WatchProgram.hasKeyboard
    let manager = await (json || isProgram) && ids.isEmpty ? try Store.open() : try Store.look()
    let named = try await JobIDs.expand(ids, manager)
    let numbers = ids.isEmpty ? nil : named
    if json, let manager { return try await WatchStream(manager, numbers).run() }
    guard let manager else { return WatchSession.nothing() }
    if isProgram {
      let backend = StoreBackend(manager: manager, ids: numbers) { try await Watch.add($0, to: manager) }
      return try await WatchProgram(backend, style.profile).run()
    }
    return try await WatchSession(manager, numbers.map(Set.init), style).run()
  }

  private func display() throws -> DisplayArguments {
    var display = try DisplayArguments.parse([])
    display.progress = progress
    return display
  }

  /// Queues URLs, as `dray add` does.
  /// - Returns: The text that reports the result.
  private static func add(_ urls: [String], to manager: DownloadManager) async throws -> String {
    guard let command = try CommandContext.current.reads?(["add", "--"] + urls) as? Add else { return "" }
    var remarks: [String] = []
    let admissions = try await command.queue(in: { manager }, say: { remarks.append($0) })
    var ids: [JobID] = []
    for admission in admissions {
      switch admission {
      case .job(let added): if !ids.contains(added.id) { ids.append(added.id) }
      case .alreadyComplete, .present, .skipped: break
      }
      for line in AdmissionReport.words(admission) where !remarks.contains(line) { remarks.append(line) }
    }
    return StoreBackend.queued(ids, remarks)
  }
}
