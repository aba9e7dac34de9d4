// `dray list`: shows the jobs.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

struct List: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the jobs.",
    discussion: """
      On a terminal the unfinished jobs are listed, and the newest \(ListCut.newest) of the others, with a word on how many more \
      there are. Into a pipe, as JSON, with --all or with a selection (--state, --since, --match) it is every job, until \
      `dray clean` removes it. In a window, and in a pipe that begins there, rows are cut to fit; -v shows them whole. RUNNER is who \
      transfers a job, where several work; WAIT is what it waits for, if not for its turn; ERROR is why it stopped, and `dray show` \
      says what to do about it. A narrow window has one column for both, REASON. NOTE says that a complete job was requested despite a hold. The files of a directory (-r) are \
      one row of a terminal, whose id begins with g; --group shows them, and --all-files those of all. With --json the jobs are an array of objects; dray-formats(7) describes the fields.

      EXAMPLES
        dray list --sums > sums && cksum -c sums
        dray list --state failed,interrupted
        dray list --queue films
        dray list --sort queue
        dray list --long --since 2d --match '*.iso'
        dray list --json --reveal | jq '.[] | select(.state == "failed") | .url'
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
    help: ArgumentHelp("Only the jobs of this named queue.", valueName: "name"),
    completion: .custom(QueueNames.complete))
  var queue: String?

  @Option(
    help: ArgumentHelp("Only the jobs of this group, each in a row; by its id or its name.", valueName: "group"),
    completion: .custom(JobIDs.completeGroup))
  var group: String?

  @Option(
    help: ArgumentHelp(
      "Only the jobs that have this label; may be repeated, or a comma-separated list.", valueName: "label"))
  var label: [String] = []

  @OptionGroup var page: PageArguments

  @Flag(help: "Show only how many jobs there are in each state.")
  var count = false

  @Flag(help: "Show each file of a group in a row of its own.")
  var allFiles = false

  @Option(help: "The order; queue is the order in which runners start them.")
  var sort: ListOrder = .id

  @Flag(name: .shortAndLong, help: "Show every job.")
  var all = false

  @Option(
    help: ArgumentHelp(
      "Show what a `get` completed for this long (default: 30d); off shows it for all time.",
      discussion: "Older ones are left out of a list on a terminal, and are not forgotten: --all shows them.",
      valueName: "time"))
  var keepHistory: String?

  @Flag(help: "Show more of each job: when it was added and ended, and its digest.")
  var long = false

  @Flag(
    help: ArgumentHelp(
      "Show the part files: how many bytes of its job each has, and its path.",
      discussion:
        "Of a job whose target is an object: the bytes and the parts that the server confirmed, and its upload."))
  var parts = false

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Print the digests of complete files, for `cksum -c`.",
      discussion: "SHA256 (PATH) = DIGEST, one line per file; a comment above it names the source of the digest."))
  var sums = false

  @Flag(help: "Show URLs with the secrets in them.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "Show whole rows with the URLs even in a narrow window.")
  var verbose = false

  func checkSettings(_ surroundings: Surroundings) throws {
    _ = try filter()
    _ = try history()
    _ = try page.page(sort)
  }

  func execute() async throws -> ExitStatus {
    let formats = [("--json", json), ("--sums", sums), ("--parts", parts)].filter(\.1).map(\.0)
    guard formats.count < 2 else {
      throw OptionValue.bad(formats.joined(separator: " and "), "each is a format: choose one")
    }
    var filter = try filter()
    let history = try history()
    guard let manager = try await Store.look() else {
      if json { ResultOutput.standard.write("[]\n") } else { Messages.print(List.nothing) }
      return .success
    }
    _ = try page.page(sort)
    guard !count else { return try await writeCounts(manager, filter) }
    if let group { filter.group = try await JobIDs.group(group, manager) }
    if sums { return try await writeSums(manager, filter) }
    let live = try await manager.progress()
    if json {
      try await writeJSON(manager, filter, live)
    } else if parts {
      try await writeParts(manager, filter, live)
    } else {
      try await writeTable(manager, filter, live, history)
    }
    return .success
  }

  /// Writes the number of jobs in each state; the jobs themselves are not read.
  private func writeCounts(_ manager: DownloadManager, _ filter: ListFilter) async throws -> ExitStatus {
    guard filter.selectsByState else {
      throw OptionValue.bad(
        "--count", "it counts by state only: leave out --since, --match, --queue, --label and --group")
    }
    let counts = try await manager.jobs.counts(ids: nil)
    let states = JobState.allCases.filter { filter.states?.contains($0) ?? true }
    if json {
      var text = JSONText()
      text.object { json in for state in states { json.field(state.rawValue, counts[state] ?? 0) } }
      text.endLine()
      ResultOutput.standard.write(text)
    } else {
      for state in states { ResultOutput.standard.write("\(state.rawValue) \(counts[state] ?? 0)\n") }
    }
    return .success
  }

  private static let nothing = "no jobs; `dray add URL` queues one"

  /// Returns for how many seconds completed jobs of `dray get` are shown; `nil` means without a limit.
  private func history() throws(Failure) -> Double? {
    guard let text = keepHistory else { return List.usualHistory }
    if text == "off" { return nil }
    if let seconds = try? TimeSpan.parse(text) { return seconds }
    throw OptionValue.bad(
      "--keep-history", "\(OptionValue.quote(text)) is not a span of time: write it like 30d, or off")
  }

  /// This is 30 days in seconds.
  private static let usualHistory: Double = 30 * 86_400

  private func filter() throws(Failure) -> ListFilter {
    var filter = ListFilter(states: try StateWords.read(state))
    if let since {
      do throws(QuantityParseError) {
        filter.since = try DateText.parsePast(since, now: WallClock.now(), zone: .current)
      } catch {
        throw OptionValue.bad("--since", error.message)
      }
    }
    filter.pattern = match.map(Wildcard.init(search:))
    filter.queue = queue
    filter.labels = try LabelWords.read(label, "--label")
    return filter
  }

  /// Calls `body` with each job, in the order that the user chose. All jobs are loaded at once only if the order is not
  /// by id.
  private func forEach(_ manager: DownloadManager, _ filter: ListFilter, _ body: (JobSummary) -> Void) async throws {
    if let page = try page.page(sort) {
      let next = try await page.forEach(manager.jobs, filter, body)
      if let next, !json { Messages.print("there are more: --after \(next) shows the next ones") }
      return
    }
    guard sort != .id else {
      return try await manager.jobs.forEachSummary(of: filter.choice) { if filter.takes($0) { body($0) } }
    }
    var jobs: [JobSummary] = []
    try await manager.jobs.forEachSummary(of: filter.choice) { if filter.takes($0) { jobs.append($0) } }
    sort.sort(&jobs)
    jobs.forEach(body)
  }

  private func writeJSON(
    _ manager: DownloadManager, _ filter: ListFilter, _ live: [JobID: ProgressEntry]
  ) async throws {
    let output = ResultOutput.standard
    var isFirst = true
    let waits = try await manager.waitContext()
    try await forEach(manager, filter) { summary in
      output.write(isFirst ? "[\n" : ",\n")
      var json = JSONText()
      json.object {
        JobFacts(
          summary, live: live[summary.id], names: .commandLine, reveals: reveal, waits: waits, isFile: System.isFile
        ).writeFields(to: &$0)
      }
      output.write(json)
      isFirst = false
    }
    output.write(isFirst ? "[]\n" : "\n]\n")
  }

  /// Writes digests in the form that BSD's tools and `cksum --tag` use. A comment above the digests names their source;
  /// the tools skip it, because it begins with `#`.
  private func writeSums(_ manager: DownloadManager, _ filter: ListFilter) async throws -> ExitStatus {
    var without = 0
    var source: DigestSource?
    try await forEach(manager, filter) { summary in
      guard summary.state == .complete, let path = summary.target else { return }
      // No tool checks lists of checksums such as CRC-32C, which only detect accidental changes.
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

  private func writeParts(
    _ manager: DownloadManager, _ filter: ListFilter, _ live: [JobID: ProgressEntry]
  ) async throws {
    var jobs: [JobFacts] = []
    var ofObjects: [JobID] = []
    try await forEach(manager, filter) { summary in
      let facts = JobFacts(summary, live: live[summary.id], names: .commandLine, isFile: System.isFile)
      let isUpload = !summary.place.traits.keepsPartFiles && !summary.state.isFinished
      if isUpload { ofObjects.append(summary.id) }
      if facts.partFile != nil || isUpload { jobs.append(facts) }
    }
    var uploads: [JobID: UploadLine] = [:]
    for job in try await manager.jobs.jobs(ids: ofObjects) {
      uploads[job.id] = job.unfinishedUpload.map { UploadLine($0, of: job) }
    }
    jobs.removeAll { $0.partFile == nil && uploads[$0.id] == nil }
    guard !jobs.isEmpty else { return Messages.print("no part files") }
    PartTable.write(jobs, uploads: uploads, profile: List.profile) { ResultOutput.standard.write($0) }
  }

  private func writeTable(
    _ manager: DownloadManager, _ filter: ListFilter, _ live: [JobID: ProgressEntry], _ history: Double?
  ) async throws {
    var footer: String?
    let now = WallClock.now()
    let isTTY = TerminalDevice.isTTY(1)
    // If standard output is not a terminal, a program reads the list and needs every job.
    let isGrouped = isTTY && filter.group == nil && !allFiles
    let groups = isGrouped || filter.group != nil ? try await manager.jobs.groups() : []
    var grouped = GroupedRows(isGrouped ? groups : [])
    let only = filter.group.flatMap { id in groups.first { $0.label.id == id } }
    var holds = ShownHolds(now: now)
    let closed = try await manager.waitContext()
    func add(_ job: JobSummary) {
      if isTTY { holds.add(job) }
      var row = JobTableRow(
        job, live: live[job.id], now: now, queues: closed, withHistory: long, reveals: reveal)
      // Files in different directories may have the same name.
      if let only { row.name = JobTableRow.name(job, in: only) }
      grouped.add(row, in: job.group)
    }
    if !isTTY || all || filter.isSelecting || page.isChosen {
      try await forEach(manager, filter, add)
    } else {
      // A group fills one row, whatever the number of its files.
      var cut = ListCut(keepingHistory: history, now: now)
      var shown: [JobSummary] = []
      try await manager.jobs.forEachSummary(states: nil) { job in
        if job.group != nil, isGrouped { shown.append(job) } else { cut.take(job) }
      }
      shown += cut.jobs
      sort.sort(&shown)
      shown.forEach(add)
      footer = cut.footer
    }
    let rows = grouped.rows
    if rows.isEmpty, footer == nil {
      return Messages.print(filter.isSelecting ? "no such jobs" : List.nothing)
    }
    if !rows.isEmpty {
      JobTable.write(rows, withHistory: long, width: width, keepsNames: !isTTY, profile: List.profile) {
        ResultOutput.standard.write($0)
      }
    }
    for line in holds.lines + [footer].compactMap(\.self) {
      let broken = width.map { TextFit.broken(line, width: $0, indent: 2) } ?? [line]
      for line in broken { ResultOutput.standard.write(line + "\n") }
    }
  }

  /// The number of columns in the terminal's window; `nil` means that rows are not shortened. If the user pipes the
  /// list to a program such as `head`, the rows mostly still end up in that window.
  private var width: Int? {
    guard !verbose else { return nil }
    if TerminalDevice.isTTY(1) { return TerminalDevice.size(1).columns }
    return System.isPipe(1) && TerminalDevice.isTTY(2) ? TerminalDevice.size(2).columns : nil
  }

  private static var profile: TerminalProfile {
    TerminalProfile.detect(isTTY: TerminalDevice.isTTY(1), environment: ProcessVariables.all)
  }
}
