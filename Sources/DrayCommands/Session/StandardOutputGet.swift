// `dray get -o -`: fetches one file to standard output or to another descriptor, or several files to /dev/null, without
// creating a job.

internal import DrayKit
internal import Posix
internal import Synchronization
internal import TerminalUI
internal import Threads

enum StandardOutputGet {
  /// Fetches a file and writes it, or fetches several files one after the other and discards them.
  /// - Throws: Kind `usage` before any request is sent; later, the failure of the transfer.
  static func run(
    _ output: OutputDescriptor, _ job: JobArguments, _ request: RequestArguments, _ shape: RequestShape,
    _ surroundings: Surroundings,
    _ style: SessionStyle
  ) async throws -> ExitStatus {
    guard job.after.isEmpty, job.startAt == nil, job.between == nil else {
      throw OptionValue.bad(option(job), "--after, --start-at and --between need a job: omit them, or name a file")
    }
    guard job.adopt == nil else {
      throw OptionValue.bad("--adopt", "it continues a file, and \(option(job)) keeps none: name one with -o")
    }
    var arguments = job
    (arguments.outputs, arguments.dir, arguments.adoptTarget) = ([], nil, false)
    var list = try await SignalWatch.endingPrograms {
      try await Operands.gather(arguments, request, surroundings, shape)
    }
    try check(list, output, job, style)
    if list.isInsecure { Messages.print(InsecureWarning.text) }
    for line in list.remarks { Messages.print(line) }
    // A user who names the terminal's file wants to see the bytes, whatever they are.
    let refusesBinary = output == .open(1) && job.outputs.first == "-" && TerminalDevice.isTTY(1)
    let spooled = try await shape.spool(for: &list, DownloadManager.spoolTemporarily)
    defer { withExtendedLifetime(spooled) {} }
    var statuses: Set<ExitStatus> = []
    for specification in list {
      do {
        let status = try await fetch(specification, output, style, refusesBinary: refusesBinary)
        if status.isStop { return status }
        statuses.insert(status)
      } catch let failure as Failure where list.count > 1 {
        Messages.print(failure)
        statuses.insert(failure.exitStatus)
      }
    }
    return ExitStatus.combined(statuses)
  }

  private static func fetch(
    _ specification: JobSpecification, _ output: OutputDescriptor, _ style: SessionStyle, refusesBinary: Bool
  ) async throws -> ExitStatus {
    var tools = OutputTools()
    (tools.manager, tools.hosts) = (try? Store.openIfPresent(), CommandContext.current.hosts)
    tools.run.renewLinks(from: CommandContext.current.sources)
    tools.refusesBinary = refusesBinary
    // Bars are shown only if the output is /dev/null. Any other output may be the terminal, or a program that writes to
    // the terminal.
    let bar = output == .null && style.progress == .bars ? FetchBar(style.profile) : nil
    let progress: (@Sendable (ActiveJob) -> Void)? = if let bar { { bar.show($0) } } else { nil }
    let transfer = Task { [tools] in
      defer { bar?.finish() }
      return try await output.use { descriptor in
        try await DownloadManager.fetch(
          specification, toDescriptor: descriptor, with: tools, progress: progress
        ) { kind in
          bar?.take(kind)
          if output == .null, case .complete(_, let size, _, _) = kind, !style.quiet {
            Messages.print("\(ByteCount.text(size)) received and discarded")
          }
          if let notice = Notice(JobEvent(id: 0, time: WallClock.now(), kind: kind)) { say(notice, style, bar) }
        }
      }
    }
    let stop = StopNumber()
    let restore: StaticString = bar == nil ? "" : LivePainter.restoreSequence(for: style.profile)
    let signals = SignalWatch(restore: restore) { request in
      switch request {
      case .suspend:
        bar?.finish()
        SignalWatch.suspendProcess()
      case .end(let number):
        stop.set(number)
        transfer.cancel()
      }
    }
    let isWhole = try await transfer.value
    if !isWhole, stop.number != nil, !style.quiet { Messages.print(StopWords.nothingKept) }
    return withExtendedLifetime(signals) {
      isWhole ? .success : stop.number.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .other
    }
  }

  /// Refuses arguments that make sense only for a job.
  /// - Throws: Kind `usage`.
  private static func check(
    _ list: SpecificationList, _ output: OutputDescriptor, _ job: JobArguments, _ style: SessionStyle
  ) throws {
    guard list.count == 1 || output == .null else {
      throw OptionValue.bad(option(job), "it takes one file, not \(list.count): name one URL")
    }
    guard style.progress != .json else {
      throw OptionValue.bad(
        option(job),
        output == .open(1)
          ? "the file and --progress json cannot both go to standard output: choose one"
          : "--progress json reports jobs, and this is none: omit it")
    }
    guard !job.ifChanged else {
      throw OptionValue.bad("--if-changed", "\(option(job)) has no file to compare with: omit it, or name a file")
    }
  }

  private static func option(_ job: JobArguments) -> String {
    "-o \(TextSafety.escaped((job.outputs.first ?? "-").start(80)))"
  }

  private static func say(_ notice: Notice, _ style: SessionStyle, _ bar: FetchBar?) {
    let isShown = notice.level == .failure || (notice.level == .notice ? !style.quiet : style.verbose)
    guard isShown else { return }
    // No job exists here, so the number 0 of the job is removed from the message.
    let line = String(notice.text.trimmingPrefix("[0] "))
    if let bar { bar.say(line) } else { Messages.print(line) }
  }
}

/// The bar for a fetch without a job.
private final class FetchBar: Sendable {
  private struct State {
    let view: BarsView
    var model = SessionModel()
  }

  private let state: Mutex<State>

  init(_ profile: TerminalProfile) {
    state = Mutex(State(view: BarsView(profile: profile)))
    take(.started(attempt: 1))
  }

  /// Updates the bar for an event. The bar disappears when the file is complete.
  func take(_ kind: JobEvent.Kind) {
    state.withLock { state in
      let ending = state.model.apply(JobEvent(id: 0, time: WallClock.now(), kind: kind), now: System.now)
      if ending != nil { state.view.finish() }
    }
  }

  func show(_ job: ActiveJob) {
    state.withLock { state in
      let now = System.now
      state.model.update(RunnerSnapshot(active: [job]), now: now)
      state.view.show(state.model, now: now)
    }
  }

  func say(_ line: String) { state.withLock { $0.view.say(line) } }

  func finish() { state.withLock { $0.view.finish() } }
}
