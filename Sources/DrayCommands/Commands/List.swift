// `dray list`: the jobs.

internal import ArgumentParser
internal import DrayKit
internal import TerminalUI

struct List: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the jobs.",
    discussion: """
      Every job is listed until `dray clean` forgets it. With --json the jobs are an array of objects; dray(1) has \
      the fields.

      EXAMPLES
        dray list --state failed,interrupted
        dray list --json | jq '.[] | select(.state == "failed") | .url'
      """)

  @Option(
    help: ArgumentHelp("Only jobs in this state; may be repeated, or a list with commas.", valueName: "state"),
    completion: .list(JobState.allCases.map(\.rawValue)))
  var state: [String] = []

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(name: .shortAndLong, help: "Show the URLs however narrow the window is.")
  var verbose = false

  func execute() async throws -> ExitStatus {
    let states = try List.states(state)
    guard let manager = try Store.look() else {
      if json { ResultOutput.standard.write("[]\n") }
      hint("there are no jobs yet; `dray add URL` queues one")
      return .success
    }
    let live = try manager.progress()
    if json { try writeJSON(manager, states, live) } else { try writeTable(manager, states, live) }
    return .success
  }

  private func writeJSON(
    _ manager: DownloadManager, _ states: Set<JobState>?, _ live: [JobID: ProgressEntry]
  ) throws {
    let output = ResultOutput.standard
    var isFirst = true
    try manager.store.forEachSummary(states: states) { summary in
      output.write(isFirst ? "[\n" : ",\n")
      var json = JSONText()
      json.object { JobFacts(summary, live: live[summary.id]).writeFields(to: &$0) }
      output.write(json)
      isFirst = false
    }
    output.write(isFirst ? "[]\n" : "\n]\n")
  }

  private func writeTable(
    _ manager: DownloadManager, _ states: Set<JobState>?, _ live: [JobID: ProgressEntry]
  ) throws {
    var rows: [JobTableRow] = []
    try manager.store.forEachSummary(states: states) { rows.append(JobTableRow($0, live: live[$0.id])) }
    guard !rows.isEmpty else { return hint("there are no such jobs") }
    let isTTY = TerminalDevice.isTTY(1)
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    JobTable.write(rows, width: isTTY && !verbose ? TerminalDevice.size(1).columns : nil, profile: profile) {
      ResultOutput.standard.write($0)
    }
  }

  private func hint(_ text: String) {
    if TerminalDevice.isTTY(2), TerminalDevice.isTTY(1) { Messages.print(text) }
  }

  /// The states of `--state`; nil is all.
  /// - Throws: kind `usage` for a word that is none.
  static func states(_ texts: [String]) throws(Failure) -> Set<JobState>? {
    guard !texts.isEmpty else { return nil }
    var states: Set<JobState> = []
    for word in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      guard let state = JobState(rawValue: String(word.trimmingSpaces())) else {
        let known = JobState.allCases.map(\.rawValue).joined(separator: ", ")
        throw OptionValue.bad("--state", "\(OptionValue.quote(String(word))) is no state: use one of \(known)")
      }
      states.insert(state)
    }
    return states
  }
}
