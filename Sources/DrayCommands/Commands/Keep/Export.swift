// `dray export`: writes jobs as a list.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Export: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Print jobs as a list that can be queued again.",
    discussion: """
      Prints one JSON object per line, in the order of the queue, with all settings of a job, for `dray add -i` and \
      `dray import`. Without ids, prints the jobs that are not finished, and \
      says on standard error how many others there are. Without --reveal, secrets are left out, and \
      their number is printed on standard error.

      EXAMPLES
        dray export > jobs.jsonl
        dray export --reveal | DRAY_HOME=~/other dray import
        dray export --state failed | dray add -i -
      """)

  @Argument(
    help: ArgumentHelp("The jobs, by their ids; g3 is those of a group.", valueName: "id"),
    completion: .custom(JobIDs.complete))
  var ids: [String] = []

  @Option(
    help: ArgumentHelp("Only jobs in this state; may be repeated, or a comma-separated list.", valueName: "state"),
    completion: .list(JobState.allCases.map(\.rawValue)))
  var state: [String] = []

  @Flag(help: "Print secrets as well: passwords, tokens, cookies, URLs with keys in them.")
  var reveal = false

  @Flag(name: .shortAndLong, help: "Print only the list and errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws { _ = try StateWords.read(state) }

  func execute() async throws -> ExitStatus {
    guard ids.isEmpty || state.isEmpty else { throw OptionValue.bad("--state", "give either ids or --state") }
    let states = try StateWords.read(state) ?? [.queued, .active, .interrupted, .paused]
    let manager = try await Store.look()
    var numbers = try await JobIDs.expand(ids, manager, states: states)
    guard let manager else {
      if !quiet { Messages.print("there are no jobs") }
      return .success
    }
    if ids.isEmpty {
      if state.isEmpty, !quiet { try await Export.sayWhatIsLeft(manager) }
      var summaries: [JobSummary] = []
      try await manager.jobs.forEachSummary(states: states) { summaries.append($0) }
      // The jobs are sorted in the order of the queue, so that an import keeps that order.
      summaries.sort { (-$0.priority, $0.rank, $0.id) < (-$1.priority, $1.rank, $1.id) }
      numbers = summaries.map(\.id)
    }
    var (secrets, left) = (0, 0)
    for id in numbers {
      // The job may have been removed in the meantime.
      guard let job = try await manager.jobs.job(id) else { continue }
      if let objection = ExportLine.objection(to: job, reveals: reveal) {
        Messages.print("job \(id) is left out: \(objection)")
        left += 1
        continue
      }
      let line = try await ExportLine(
        job, prerequisites: manager.jobs.prerequisites(of: id), sums: manager.jobs.sums(of: id), reveals: reveal)
      secrets += line.secrets
      ResultOutput.standard.write(line.json)
    }
    if secrets > 0, !quiet {
      Messages.print("\(secrets) \(secrets == 1 ? "secret was" : "secrets were") left out; --reveal prints them")
    }
    return left > 0 ? .other : .success
  }

  /// Tells the user about finished jobs, which an export without ids leaves out.
  private static func sayWhatIsLeft(_ manager: DownloadManager) async throws(Failure) {
    let counts = try await manager.jobs.counts(ids: nil)
    let left = [JobState.failed, .complete].filter { counts[$0, default: 0] > 0 }
    if counts.isEmpty { return Messages.print("there are no jobs") }
    guard !left.isEmpty else { return }
    let words = left.map { "\(counts[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
    Messages.print("left out: \(words); add --state \(left.map(\.rawValue).joined(separator: ",")) for these")
  }
}
