// `dray add`: queue only.

internal import ArgumentParser
internal import DrayKit

struct Add: DrayCommand {
  static let configuration = CommandConfiguration(
    abstract: "Queue URLs and print the ids of their jobs.",
    discussion: """
      Returns when the jobs are on disk: from then on they survive any crash. `dray run` transfers them, and \
      a `dray run --wait` that is already running starts them at once.

      EXAMPLES
        dray add https://example.org/a.iso https://example.org/b.iso
        dray add -i list.txt --priority 5
        dray add -r -d mirror https://example.org/pub/
        dray add -d ~/isos -u ann https://example.org/private.iso
      """)

  @OptionGroup(title: "File options") var job: JobArguments
  @OptionGroup(title: "Options for directories") var tree: TreeArguments
  @OptionGroup(title: "Request options") var request: RequestArguments

  @OptionGroup(title: "Options for what is sent") var body: BodyArguments

  @Flag(name: .shortAndLong, help: "Print only ids and errors.")
  var quiet = false

  func checkSettings(_ surroundings: Surroundings) throws {
    try job.checkSettings(request, surroundings)
    _ = try (tree.filter(), tree.levels())
  }

  func execute() async throws -> ExitStatus {
    guard job.output != "-" else {
      throw OptionValue.bad("-o -", "a queued job needs a file: `dray get -o -` writes to standard output")
    }
    let surroundings = try Surroundings.real()
    let plan = try RequestPlan(body, surroundings, readsListFromInput: job.inputFile == "-")
    guard tree.recursive || !tree.hasDetails else { throw TreeArguments.alone }
    if tree.recursive { return try await queueTree(try TreeInput(tree, job, request, plan, surroundings)) }
    var list = try await Operands.gather(job, request, surroundings, plan)
    for line in list.remarks { Messages.print(line) }
    let manager = try Store.open()
    let spooled = try await plan.spool(for: &list) { (source) throws(Failure) in try await manager.spool(source) }
    defer { withExtendedLifetime(spooled) {} }
    let output = ResultOutput.standard
    var seen: Set<JobID> = []
    for admission in try await manager.admit(list) {
      switch admission {
      case .job(let added):
        if seen.insert(added.id).inserted { output.write("\(added.id)\n") }
      case .alreadyComplete(let id, let path):
        if seen.insert(id).inserted { output.write("\(id)\n") }
        if !quiet { Messages.print("already complete: \(path)") }
      case .skipped(let path):
        if !quiet { Messages.print("skipped: \(path) already exists") }
      }
    }
    return .success
  }

  /// Queues what is below directories; the ids come as it is found.
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
