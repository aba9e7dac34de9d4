// `dray import`: adds the jobs that were exported from another job store. Its subcommands import the data of other
// programs.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Queue jobs from another job store.",
    discussion: """
      Without a subcommand, reads what `dray export` wrote.

      EXAMPLES
        dray export --reveal > jobs.jsonl && dray import jobs.jsonl
        dray export --reveal | DRAY_HOME=~/other dray import
      """,
    subcommands: [ImportJobs.self, ImportAria2.self], defaultSubcommand: ImportJobs.self)
}

struct ImportJobs: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs",
    abstract: "Queue what `dray export` wrote, and print the ids of the jobs.",
    discussion: """
      Jobs keep their order, their priorities and the jobs that they wait for; paused jobs stay paused. A job whose part file \
      is found continues from it: from the file itself if its former job store is gone, else from a copy. If a line is wrong, \
      nothing is queued.

      Import only files that you have written yourself: a line may name a command to run when its job ends.

      EXAMPLES
        dray import jobs.jsonl
        dray export --reveal | DRAY_HOME=~/other dray import
      """)

  @Argument(
    help: ArgumentHelp("The file, or - for standard input (the default).", valueName: "file"), completion: .file())
  var file = "-"

  @Flag(name: .shortAndLong, help: "Print only ids and errors.")
  var quiet = false

  func execute() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let name = file == "-" ? "standard input" : TextSafety.escaped(file)
    var list = InputList()
    list.isOwn = true
    let bytes = try surroundings.contents(file, "the file", limit: Surroundings.longLimit)
    try list.read(bytes, name: name, mayBeEmpty: true)
    guard !list.entries.isEmpty else {
      if !quiet { Messages.print("\(name): no jobs in it, nothing is imported") }
      return .success
    }
    var arguments = try SettingArguments.parse([])
    arguments.job.inputFile = file
    // The lines of the list contain all settings of their jobs. Therefore nothing is added from the configuration.
    var template = try JobTemplate(arguments.job, arguments.request, surroundings)
    template.hosts = HostLimits(rules: HostRules(), given: [])
    let specifications = try SpecificationList(list, template, arguments.job, surroundings, .plain)
    for line in specifications.remarks { Messages.print(line) }
    let jobs = ImportJobs.jobs(specifications)
    let outcomes = try await Store.open().importJobs(jobs)
    for outcome in outcomes { ResultOutput.standard.write("\(outcome.job.id)\n") }
    for outcome in outcomes {
      if let reason = outcome.lost { Messages.print("[\(outcome.job.id)] starts over: \(reason)") }
    }
    if !quiet { Messages.print(ImportJobs.summary(outcomes)) }
    return .success
  }

  /// Returns the jobs of a list, including the fields that only an export contains.
  static func jobs(_ list: SpecificationList) -> [JobToImport] {
    var places: [JobID: Int] = [:]
    for index in list.indices { if let id = list.exported(index).id { places[id] = index } }
    return list.indices.map { index in
      let exported = list.exported(index)
      var job = JobToImport(list[index])
      // Prerequisites that are not in the list are dropped: either they were complete, or the user left them out.
      job.waitsFor = exported.waitsFor.compactMap { places[$0] }.filter { $0 != index }
      job.isPaused = exported.state == .paused
      if let uuid = exported.uuid, let checkpoint = exported.checkpoint { job.part = (uuid, checkpoint.checkpoint) }
      job.fileName = exported.checkpoint?.name
      return job
    }
  }

  private static func summary(_ outcomes: [ImportOutcome]) -> String {
    let new = outcomes.count { !$0.job.existing }
    let (kept, existing) = (outcomes.count { $0.kept > 0 }, outcomes.count - new)
    return "\(new) \(new == 1 ? "job" : "jobs") imported"
      + (kept > 0 ? ", \(kept) with received bytes" : "")
      + (existing > 0 ? "; \(existing) \(existing == 1 ? "was" : "were") already queued and left unchanged" : "")
  }
}
