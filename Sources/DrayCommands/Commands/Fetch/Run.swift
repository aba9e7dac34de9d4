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
      if !style.quiet { Messages.print(RunReport.nothingToDo([], now: WallClock.now())) }
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
    let status: ExitStatus
    do { status = try await session.run() } catch {
      await server?.stop()
      throw error
    }
    await server?.stop()
    guard status == .success, !wait else { return status }
    return try await report(manager, wasEmpty: session.summary?.isEmpty == true, quiet: style.quiet)
  }

  /// Reports the jobs that a run without failures left as they were, and returns its exit status.
  private func report(_ manager: DownloadManager, wasEmpty: Bool, quiet: Bool) async throws -> ExitStatus {
    let (now, labels) = (WallClock.now(), Set(try fleet.labels()))
    let states = wasEmpty ? Set(JobState.allCases).subtracting([.complete]) : [.interrupted]
    let rest = try await manager.jobs.summaries(after: 0, states: states, limit: 1000)
    let waiting = RunReport.HeldJobs(rest.filter { labels.isSubset(of: $0.labels) }.map { .init($0) }, now: now)
    if !quiet {
      if wasEmpty {
        Messages.print(RunReport.nothingToDo(rest.map { .init($0) }, now: now))
      } else if let waiting {
        Messages.print(waiting.text(now: now))
      }
    }
    return waiting?.exitStatus ?? .success
  }
}
