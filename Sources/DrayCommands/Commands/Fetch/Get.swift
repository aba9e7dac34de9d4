// `dray get`: queues jobs and transfers them at once, in the foreground.

internal import ArgumentParser
internal import DrayKit
internal import Posix
internal import TerminalUI
internal import Threads

struct Get: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Fetch URLs now.",
    discussion: """
      Queues the URLs and transfers them in the foreground. Repeating the command continues where it \
      stopped; complete files are not fetched again. The paths of completed files go to standard output \
      when that is a file, and with --print-path in any case.

      EXAMPLES
        dray get https://example.org/big.iso
        dray get -d ~/isos --checksum sha-256=HEX https://example.org/big.iso
        dray get -o - https://example.org/list.txt | sort
        dray get -j 16 -i urls.txt
        dray get -r -d mirror --include '*.iso' https://example.org/pub/
      """)

  @OptionGroup(title: "File options") var link: LinkArguments
  @OptionGroup(title: "File options") var job: JobArguments
  @OptionGroup(title: "Options for directories") var tree: TreeArguments
  @OptionGroup(title: "Request options") var request: RequestArguments
  @OptionGroup(title: "Options for what is sent") var body: BodyArguments
  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup(title: "Run options") var quota: QuotaArguments
  @OptionGroup(title: "Display options") var display: DisplayArguments

  @Flag(name: [.customShort("I"), .long], help: "Request only the header fields and print them. Nothing is queued.")
  var head = false

  func checkSettings(_ surroundings: Surroundings) throws {
    try job.checkSettings(request, surroundings)
    _ = try (tree.filter(), tree.levels(), tree.cut())
    _ = try (run.options(), quota.limit(), run.endAction())
    _ = try job.hooks.runHooks()
    _ = try Herald(display)
  }

  func execute() async throws -> ExitStatus {
    let action = try run.endAction()
    let status = try await fetch()
    if !head { await action?.carryOut(after: status) }
    return status
  }

  private func fetch() async throws -> ExitStatus {
    let surroundings = try Surroundings.real()
    let options = try self.options()
    let style = SessionStyle(display, printsPaths: true)
      .sparingPipe(!display.printPath && System.isPipe(1))
    let herald = try Herald(display)
    let shape = try RequestShape(body, surroundings, readsListFromInput: job.inputFile == "-")
    guard tree.recursive || !tree.hasDetails else { throw TreeArguments.alone }
    guard !link.newLink || !tree.recursive && !head else {
      throw OptionValue.bad("--new-link", "it is for single files: omit it, or \(head ? "--head" : "-r")")
    }
    if tree.recursive {
      guard !head else { throw OptionValue.bad("--head", "it is for one URL: omit it, or -r") }
      return try await TreeGet.run(
        try TreeInput(tree, try await job.inQueueDirectory(), request, shape, surroundings), options, style, herald)
    }
    if head { return try await HeadPrinter.run(try headList(shape, surroundings)) }
    if let output = OutputDescriptor.of(job.outputs, dir: job.dir, base: surroundings.currentDirectory) {
      return try await StandardOutputGet.run(output, job, request, shape, surroundings, style)
    }
    var list = try await Operands.gather(job, request, surroundings, shape)
    list.markOneOff()
    Get.sayRemarks(on: list)
    let manager = try await Store.patiently(Store.open)
    try await NewLinks(manager: manager, style: style, isWanted: link.newLink).give(&list)
    let spooled = try await shape.spool(for: &list) { (source) throws(Failure) in try await manager.spool(source) }
    return try await fetch(list, spooled, manager, options, style, herald)
  }

  /// Queues the jobs of a list, and transfers them.
  /// - Parameter spooled: The body of the jobs' requests, kept until the first jobs are queued.
  private func fetch(
    _ list: SpecificationList, _ spooled: SpooledBody?, _ manager: DownloadManager, _ options: RunOptions,
    _ style: SessionStyle, _ herald: Herald
  ) async throws -> ExitStatus {
    // A reader of events that stands still must not delay the first transfer either.
    LiveOutput.begin()
    defer { LiveOutput.end() }
    let parts = list.parts
    var report = AdmissionReport(style)
    let present = try await PresentTargets(list, manager)
    for path in present.upToDate { report.report(upToDate: path) }
    func admit(_ part: Range<Int>) async throws -> [JobID] {
      let admitted: [Admission]
      let ids: [JobID]
      if present.isEmpty {
        admitted = try await manager.admit(list[part])
        ids = report.report(admitted, list[part])
      } else {
        let (rest, entrance) = present.rest(of: list, in: part)
        guard !rest.isEmpty else { return [] }
        admitted = try await manager.admit(rest, entering: entrance)
        ids = report.report(admitted, rest)
      }
      try await AdmissionReport.resumePaused(admitted, manager)
      // Request a typed URL once despite a hold.
      let held = try await manager.askAtOnce(ids)
      if !style.quiet { for held in held { Messages.print(HoldText.asking(held, now: WallClock.now())) } }
      if !style.quiet { for line in try await JobWait.lines(ids, manager) { Messages.print(line) } }
      return ids
    }
    let first = try await admit(parts[0])
    withExtendedLifetime(spooled) {}
    guard parts.count > 1 || !first.isEmpty else { return .success }
    let runner = try await manager.makeRunner(parts.count > 1 ? .growing(first) : .jobs(first), options)
    try await run.reportLimit(manager, options, quiet: style.quiet)
    let session = TransferSession(
      runner, style, warnsOfInsecureJobs: false, herald: herald, assumedOrigins: list.assumedOrigins)
    async let status = session.run()
    do {
      // Add the rest of a long list while the first jobs are fetched.
      for part in parts.dropFirst() {
        try await runner.add(try await admit(part), isLast: part.upperBound == list.count)
      }
    } catch {
      runner.stop()
      _ = try? await status
      throw error
    }
    return try await status
  }

  /// Prints the remarks on a list before its jobs are queued.
  private static func sayRemarks(on list: SpecificationList) {
    if list.isInsecure { Messages.print(InsecureWarning.text) }
    for line in list.remarks { Messages.print(line) }
    if !list.paused.isEmpty {
      Messages.print("pause=: `dray get` fetches now; `dray add -i` queues a job that is paused")
    }
  }

  /// Returns the options of the run. A user is watching, so a mistyped URL is reported at once.
  private func options() throws -> RunOptions {
    var options = try run.options()
    options.maxTransfer = try quota.limit()
    options.hooks = try job.hooks.runHooks()
    options.failsFast = true
    return options
  }

  /// Returns the URLs whose heads are requested.
  /// - Throws: kind `usage` before any request.
  private func headList(_ shape: RequestShape, _ surroundings: Surroundings) throws(Failure) -> SpecificationList {
    guard shape.source == nil, shape.method == nil else {
      throw OptionValue.bad("--head", "it cannot be combined with a body or another method: choose one")
    }
    guard job.outputs.isEmpty else {
      throw OptionValue.bad("--head", "header fields go to standard output: omit -o")
    }
    return try Operands.specifications(job, request, surroundings, shape)
  }
}
