// `dray add`: queues jobs without transferring them.

internal import ArgumentParser
internal import DrayKit
internal import DrayStore

struct Add: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Queue URLs and print the ids of their jobs.",
    discussion: """
      Returns when the jobs are on disk: from then on they survive any crash. `dray run` transfers them, and \
      a `dray run --wait` that is already running starts them at once.

      EXAMPLES
        dray add https://example.org/a.iso https://example.org/b.iso
        dray add -i list.txt --priority 5
        dray add -i millions.txt --unique --label batch=7
        dray add -r -d mirror https://example.org/pub/
        dray add -d ~/isos -u ann https://example.org/private.iso
      """)

  @OptionGroup(title: "File options") var job: JobArguments
  @OptionGroup(title: "Options for directories") var tree: TreeArguments
  @OptionGroup(title: "Request options") var request: RequestArguments

  @OptionGroup(title: "Options for what is sent") var body: BodyArguments

  @Flag(
    help: ArgumentHelp(
      "Leave out URLs that a job has already, in any state, and queue long lists piece by piece.",
      discussion: """
        The list of -i may have millions of lines: it is read and queued in pieces, each durable when its ids are printed. \
        After an interruption, or a line that is not valid, the same command continues.
        """))
  var unique = false

  @Flag(name: .shortAndLong, help: "Print only ids and errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws {
    try job.checkSettings(request, surroundings)
    _ = try (tree.filter(), tree.levels(), tree.cut(), job.images.choices())
  }

  func execute() async throws -> ExitStatus {
    guard job.output != "-" else {
      throw OptionValue.bad("-o -", "a queued job needs a file: `dray get -o -` writes to standard output")
    }
    try tree.checkAlone(job)
    if tree.recursive {
      let surroundings = try Surroundings.real()
      let shape = try RequestShape(body, surroundings, readsListFromInput: job.inputFile == "-")
      let job = try await self.job.inQueueDirectory()
      return try await queueTree(try TreeInput(tree, job, request, shape, surroundings))
    }
    if unique { return try await queueUnique() }
    Add.report(try await queue(in: Store.open, say: Messages.print), quiet: quiet)
    return .success
  }

  /// Queues the jobs of a list. New jobs that the list marks as paused are paused.
  static func queue(_ list: SpecificationList, _ manager: DownloadManager) async throws(Failure) -> [Admission] {
    let admissions = try await manager.admit(list)
    let paused = list.paused.compactMap { index -> JobID? in
      if case .job(let added) = admissions[index], !added.existing { added.id } else { nil }
    }
    if !paused.isEmpty { _ = try await manager.pause(paused) }
    return admissions
  }

  static func report(_ admissions: [Admission], quiet: Bool) {
    let output = ResultOutput.standard
    var seen: Set<JobID> = []
    var said: Set<String> = []
    var present = 0
    for admission in admissions {
      switch admission {
      case .job(let added):
        if seen.insert(added.id).inserted { output.write("\(added.id)\n") }
      case .alreadyComplete(let id, _, _):
        if seen.insert(id).inserted { output.write("\(id)\n") }
      case .skipped: break
      case .present:
        // A name may stand for thousands of files.
        present += 1
        continue
      }
      guard !quiet else { continue }
      for line in AdmissionReport.words(admission) where said.insert(line).inserted { Messages.print(line) }
    }
    if present > 0, !quiet { Messages.print(Remarks.present(nil, present)) }
  }

  /// Queues the jobs of this command line.
  /// - Parameters:
  ///   - store: Opens the store; called after all arguments have been checked.
  ///   - say: Receives each remark for the user.
  func queue(
    in store: () throws(Failure) -> DownloadManager, say: (String) -> Void
  ) async throws(Failure) -> [Admission] {
    let surroundings = try Surroundings.real()
    let shape = try RequestShape(body, surroundings, readsListFromInput: job.inputFile == "-")
    let filter = try tree.filterOfNames()
    var list = try await SignalWatch.endingPrograms { () async throws(Failure) in
      try await Operands.gather(job, request, surroundings, shape, filter: filter, isQuiet: quiet)
    }
    if !quiet { for line in list.remarks { say(line) } }
    let manager = try store()
    let spooled = try await shape.spool(for: &list) { (source) throws(Failure) in try await manager.spool(source) }
    defer { withExtendedLifetime(spooled) {} }
    return try await Add.queue(list, manager)
  }

  /// Queues those URLs for which there is no job yet, some at a time.
  private func queueUnique() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let shape = try RequestShape(body, surroundings, readsListFromInput: job.inputFile == "-")
    try UniqueList.check(job, shape)
    let arguments = try await job.inQueueDirectory()
    var template = try JobTemplate(arguments, request, surroundings, shape)
    try await template.hosts.readQueues(arguments)
    let list = UniqueList(arguments: arguments, template: template, surroundings: surroundings, shape: shape)
    let quiet = quiet
    let count = try await list.queue(in: try Store.open(), say: { Messages.print($0) }, add: Add.queue) { admissions in
      Add.report(admissions, quiet: quiet)
      ResultOutput.standard.flush()
    }
    if !quiet { Messages.print("\(count.queued) queued, \(count.known) known already") }
    return .success
  }

  /// Queues the files below directories, and prints the id of each job when its file is found.
  private func queueTree(_ input: TreeInput) async throws -> ExitStatus {
    for line in input.remarks { Messages.print(line) }
    let queue = TreeQueue(input, try Store.open(), SessionStyle(quiet: quiet)) {
      Messages.print($0)
    } take: { ids in
      for id in ids { ResultOutput.standard.write("\(id)\n") }
      ResultOutput.standard.flush()
    }
    try await queue.walk()
    return ExitStatus.combined(await queue.statuses)
  }
}
