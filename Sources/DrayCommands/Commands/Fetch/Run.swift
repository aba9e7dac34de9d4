// `dray run`: transfers the jobs of the queue.

internal import ArgumentParser
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Threads

struct Run: DrayCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Transfer the queue until nothing is left to do.",
    discussion: """
      Transfers queued and interrupted jobs, highest priority first; paused and failed jobs are skipped. Several \
      runners may work at once; no job is transferred twice.

      EXAMPLES
        dray run -j 8
        dray run --wait --max-overall-rate 2M
        dray run --max-transfer 20G
        dray run --wait --between 01:00-07:00
        dray run --store postgresql://db/dray --only site=north
      """)

  @Flag(help: "When nothing is left, wait for new jobs instead of ending.")
  var wait = false

  @OptionGroup(title: "Run options") var run: RunArguments
  @OptionGroup(title: "Fleet options") var fleet: FleetArguments
  @OptionGroup(title: "Run options") var quota: QuotaArguments
  @OptionGroup var window: WindowArguments
  @OptionGroup(title: "Hook options") var hooks: HookArguments
  @OptionGroup(title: "Display options") var display: DisplayArguments

  func checkSettings(_ surroundings: Surroundings) throws {
    var options = try run.options()
    _ = try quota.limit()
    try window.apply(to: &options)
    try fleet.check()
    _ = try endAction()
    _ = try hooks.runHooks()
    _ = try Herald(display, showsFolder: DesktopNoticeCommand.start)
  }

  private func endAction() throws(Failure) -> EndAction? {
    try run.endAction(endless: wait ? "with --wait the run does not end" : nil)
  }

  func execute() async throws -> ExitStatus { try await execute(continuing: .all) }

  /// - Parameter continued: The interrupted jobs that this run continues.
  func execute(continuing continued: ContinuedJobs) async throws -> ExitStatus {
    let action = try endAction()
    let status = try await transfer(continued)
    await action?.carryOut(after: status)
    return status
  }

  private func transfer(_ continued: ContinuedJobs) async throws -> ExitStatus {
    var options = try run.options(waits: wait)
    options.continued = continued
    options.maxTransfer = try quota.limit()
    try window.apply(to: &options)
    options.hooks = try hooks.runHooks()
    let style = SessionStyle(display)
    let herald = try Herald(display, showsFolder: DesktopNoticeCommand.start)
    // Without a store, there are no jobs. Only --wait needs a store, because it waits for jobs that come later.
    let found = try await Store.patiently { () throws(Failure) in try wait ? Store.open() : Store.openIfPresent() }
    guard let manager = found else {
      // A machine that uses another database than its fleet must not appear to have done its part.
      if case .database? = CommandContext.current.store {
        throw Failure(
          .store, try Store.user().store.path, "this database has no job store",
          advice: "`dray add` makes one; or check the address")
      }
      let now = WallClock.now()
      if !style.quiet { Messages.print(RunReport.nothingToDo([], since: now, now: now)) }
      return .success
    }
    options.name = try fleet.runnerName()
    let runner = try await manager.makeRunner(try fleet.scope(), options)
    let server = try fleet.server(manager, runner)
    if let server, !style.quiet {
      Messages.print("metrics at \(server.addresses.joined(separator: ", ")): /metrics, /health")
    }
    try await run.reportLimit(manager, options, quiet: style.quiet)
    try await run.reportWindow(manager, quiet: style.quiet)
    let session = TransferSession(
      runner, style, warnsOfInsecureJobs: true, herald: herald, waitsForMore: wait, again: .run,
      grace: try fleet.graceTime(isShared: manager.isShared))
    let begin = WallClock.now()
    let status: ExitStatus
    do { status = try await session.run() } catch {
      await server?.stop()
      throw error
    }
    await server?.stop()
    guard status == .success, !wait else { return status }
    return try await report(manager, since: begin, wasEmpty: session.summary?.isEmpty == true, quiet: style.quiet)
  }

  /// Reports the jobs that a run without failures left as they were, and returns its exit status.
  /// - Parameter begin: The time when the run began, in seconds since 1970.
  private func report(
    _ manager: DownloadManager, since begin: Double, wasEmpty: Bool, quiet: Bool
  ) async throws -> ExitStatus {
    let labels = try fleet.labels()
    // All of them, because any one decides on the status; a run that ends well leaves few behind.
    var rest: [RunReport.Rest] = []
    try await manager.jobs.forEachSummary(of: JobChoice(states: [.interrupted], labels: labels)) {
      rest.append(RunReport.Rest($0))
    }
    let held = RunReport.HeldJobs(rest, since: begin)
    if !quiet, wasEmpty {
      let others = Set(JobState.allCases).subtracting([.complete, .interrupted])
      rest += try await manager.summaries(of: JobChoice(states: others, labels: labels))
        .map { RunReport.Rest($0) }
      Messages.print(RunReport.nothingToDo(rest, since: begin, now: WallClock.now()))
    } else if !quiet, let held {
      Messages.print(held.text(now: WallClock.now()))
    }
    return held?.exitStatus ?? .success
  }
}
