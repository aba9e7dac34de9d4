// `dray list`: the jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayWire
internal import Posix
internal import TerminalUI

struct List: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the jobs.",
    discussion: """
      Every job is listed until `dray clean` removes it. The last column shows what a job waits for, if not for its \
      turn. On a terminal the files of a directory (-r) are one row, whose id begins with g; --group shows them, and \
      --all-files those of all. With --json the jobs are an array of objects; dray(1) describes the fields.

      EXAMPLES
        dray list --sums > sums && cksum -c sums
        dray list --state failed,interrupted
        dray list --sort queue
        dray list --all --since 2d --match '*.iso'
        dray list --json | jq '.[] | select(.state == "failed") | .url'
      """)

  @Option(
    help: ArgumentHelp("Only jobs in this state; may be repeated, or a comma-separated list.", valueName: "state"),
    completion: .list(JobState.allCases.map(\.rawValue)))
  var state: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only jobs added or ended since then: 2d, 08:00, 2026-11-20, 2026-11-20T08:00.", valueName: "time"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      "Only jobs whose URL or path contains this; with * or ?, whose whole URL or path matches it.",
      discussion: "Case-insensitive. Secrets in URLs are not searched.", valueName: "text"))
  var match: String?

  @Option(
    help: ArgumentHelp("Only the jobs of this group, each in a row; by its id or its name.", valueName: "group"),
    completion: .custom(JobIDs.completeGroup))
  var group: String?

  @Flag(help: "Show each file of a group in a row of its own.")
  var allFiles = false

  @Option(help: "The order; queue is the order in which runners start them.")
  var sort: ListOrder = .id

  @Flag(name: .shortAndLong, help: "Show more of each job: when it was added and ended, and its digest.")
  var all = false

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Print the digests of complete files, for `cksum -c`.",
      discussion: "SHA256 (PATH) = DIGEST, one line per file; a comment above it names the source of the digest."))
  var sums = false

  @Flag(name: .shortAndLong, help: "Show the URLs even in a narrow window.")
  var verbose = false

  func checkSettings(_ surroundings: Surroundings) throws {
    _ = try filter()
  }

  func execute() async throws -> ExitStatus {
    guard !json || !sums else { throw OptionValue.bad("--sums", "it is a format, like --json: choose one") }
    var filter = try filter()
    guard let manager = try await Store.look() else {
      if json { ResultOutput.standard.write("[]\n") }
      hint("there are no jobs yet; `dray add URL` queues one")
      return .success
    }
    filter.group = try group.map { (text) throws(Failure) in try JobIDs.group(text, manager) }
    let live = try await manager.progress()
    if sums { return try writeSums(manager, filter) }
    if json { try writeJSON(manager, filter, live) } else { try writeTable(manager, filter, live) }
    return .success
  }

  private func filter() throws(Failure) -> ListFilter {
    var filter = ListFilter(states: try List.states(state))
    if let since {
      do throws(QuantityParseError) {
        filter.since = try DateText.parsePast(since, now: WallTime.now, zone: .current)
      } catch {
        throw OptionValue.bad("--since", error.message)
      }
    }
    filter.pattern = match.map(TextPattern.init)
    return filter
  }

  /// Calls `body` with the jobs in order. Only another order than that of the ids needs them all at once.
  private func forEach(_ manager: DownloadManager, _ filter: ListFilter, _ body: (JobSummary) -> Void) throws {
    guard sort != .id else {
      return try manager.store.forEachSummary(states: filter.states) { if filter.takes($0) { body($0) } }
    }
    var jobs: [JobSummary] = []
    try manager.store.forEachSummary(states: filter.states) { if filter.takes($0) { jobs.append($0) } }
    sort.sort(&jobs)
    jobs.forEach(body)
  }

  private func writeJSON(
    _ manager: DownloadManager, _ filter: ListFilter, _ live: [JobID: ProgressEntry]
  ) throws {
    let output = ResultOutput.standard
    var isFirst = true
    try forEach(manager, filter) { summary in
      output.write(isFirst ? "[\n" : ",\n")
      var json = JSONText()
      json.object {
        JobFacts(summary, live: live[summary.id], names: .commandLine, isFile: System.isFile).writeFields(to: &$0)
      }
      output.write(json)
      isFirst = false
    }
    output.write(isFirst ? "[]\n" : "\n]\n")
  }

  /// Writes digests as BSD's tools and `cksum --tag` do. Who says so stands above, in a comment: those tools skip what begins
  /// with `#`.
  private func writeSums(_ manager: DownloadManager, _ filter: ListFilter) throws -> ExitStatus {
    var without = 0
    var source: DigestSource?
    try forEach(manager, filter) { summary in
      guard summary.state == .complete, let path = summary.target else { return }
      // A checksum such as CRC-32C finds accidents, and no tool checks lists of them.
      guard let known = summary.knownDigest, known.digest.algorithm.identifies else { return without += 1 }
      if known.source != source {
        ResultOutput.standard.write("# source: \(TextSafety.escaped(known.source.rawValue))\n")
      }
      source = known.source
      ResultOutput.standard.write(DigestLine.text(known.digest, path))
    }
    if without > 0 {
      Messages.print(
        "\(without) complete \(without == 1 ? "job has" : "jobs have") no digest that other tools can check; `dray verify --record --all` computes them"
      )
    }
    return .success
  }

  private func writeTable(
    _ manager: DownloadManager, _ filter: ListFilter, _ live: [JobID: ProgressEntry]
  ) throws {
    let now = WallTime.now
    let isTTY = TerminalDevice.isTTY(1)
    // Programs read every job.
    let isGrouped = isTTY && filter.group == nil && !allFiles
    var grouped = GroupedRows(isGrouped ? try manager.store.groups() : [])
    try forEach(manager, filter) {
      grouped.add(JobTableRow($0, live: live[$0.id], now: now, withHistory: all), in: $0.group)
    }
    let rows = grouped.rows
    guard !rows.isEmpty else { return hint("there are no such jobs") }
    let profile = TerminalProfile.detect(isTTY: isTTY, environment: ProcessVariables.all)
    JobTable.write(
      rows, withHistory: all, width: isTTY && !verbose ? TerminalDevice.size(1).columns : nil, profile: profile
    ) {
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
        throw OptionValue.bad("--state", "\(OptionValue.quote(String(word))) is not a state: use one of \(known)")
      }
      states.insert(state)
    }
    return states
  }
}
