// A run in the terminal: runs a runner, shows its events and progress, and handles signals.

internal import DrayKit
internal import Posix
internal import TerminalUI
internal import Threads

actor TransferSession {
  private let runner: Runner
  private let style: SessionStyle
  private let view: any SessionView
  private var model = SessionModel()
  private var ending: Int32?
  /// Yields when there may be something new to show.
  private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private var others = OthersReport()
  private let waitsForMore: Bool
  /// The start of the present idle time, in seconds of the monotonic clock and since 1970.
  private var idleSince: (steady: Double, wall: Double)?
  private var hasReportedWait = false
  /// Whether to warn at the start of a job that checks no certificates. `get` warns earlier.
  private let warnsOfInsecureJobs: Bool

  /// Whether each file that is up to date is reported. A tree may have thousands.
  private let reportsUnchanged: Bool
  private var unchanged = 0

  /// The origins that use https only because no scheme was typed.
  private var assumedOrigins: Set<String>

  private let herald: Herald?
  /// Whether the user has been told where the file is.
  private var hasExplainedPipe = false
  private var lastFile: String?
  /// The messages on jobs that did not succeed, by id.
  private var failures: [JobID: String] = [:]
  /// The jobs that wait for holds, the time of the last check, and the ends of the reported holds by origin.
  private var held: [HeldJobs] = []
  private var lookedForHolds = -Double.infinity
  private var reportedHolds: [String: Double] = [:]
  /// Whether the store is being asked for the display.
  private var isLooking = false
  /// Whether the user has been told that the store does not answer.
  private var hasReportedOutage = false
  /// The reported failures of shares that do not work here.
  private var reportedRefusals: [Failure] = []
  /// The jobs whose retry notices have reported their servers' waits.
  private var refused: Set<JobID> = []
  /// The jobs that a signal stopped, and those that wait for a retry.
  private var stopped: Set<JobID> = []
  /// The bytes of unfinished jobs that were shown last.
  private var shown: [JobID: Int64] = [:]
  /// The seconds that the run has to end after SIGTERM; `nil` for no limit.
  private let grace: Double?
  /// The command that continues the jobs after a signal.
  private let again: StopWords.Again
  /// The outcomes of the jobs, once the run has ended.
  private(set) var summary: RunSummary?

  init(
    _ runner: Runner, _ style: SessionStyle, warnsOfInsecureJobs: Bool, herald: Herald? = nil,
    assumedOrigins: Set<String> = [], waitsForMore: Bool = false, reportsUnchanged: Bool = true,
    again: StopWords.Again = .repetition, grace: Double? = nil
  ) {
    (self.again, self.grace) = (again, grace)
    self.waitsForMore = waitsForMore
    self.reportsUnchanged = reportsUnchanged
    self.assumedOrigins = assumedOrigins
    self.herald = herald
    self.runner = runner
    self.style = style
    self.warnsOfInsecureJobs = warnsOfInsecureJobs
    view = style.makeView()
  }

  /// Runs until nothing is left to do, or until a signal.
  /// - Throws: Kind `store`.
  func run() async throws -> ExitStatus {
    let begun = System.now
    let signals = SignalWatch(restore: LivePainter.restoreSequence(for: style.profile)) { request in
      Task { await self.handle(request) }
    }
    let runner = runner
    async let summary = runner.run()
    let ticker = Task { try await tick() }
    let forwarder = Task { while await runner.nextActivity() { self.news.continuation.yield() } }
    for await event in runner.events {
      take(event)
      news.continuation.yield()
    }
    ticker.cancel()
    forwarder.cancel()
    defer { view.finish() }
    let result = try await summary
    view.finish()
    self.summary = result
    // A run may end before a display has shown it.
    report(refusals: result.refusals)
    if !style.quiet {
      let lines = RunReport.lines(result, failures: failures.sorted { $0.key < $1.key }.map(\.value))
      for line in lines { Messages.print(line) }
      if !reportsUnchanged, unchanged > 0 { Messages.print("\(unchanged) of them up to date") }
    }
    if ending != nil || result.reachedMaxTransfer, !style.quiet {
      await reportStop(ending == nil ? .maxTransfer : .signal)
    }
    if ending == nil { await herald?.notify(result, elapsed: System.now - begun, last: lastFile) }
    return withExtendedLifetime(signals) {
      ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? result.exitStatus
    }
  }

  /// Reports the kept bytes of each job after a stop, and the command that continues.
  private func reportStop(_ reason: StopWords.Reason) async {
    // Without an answer of the store, the line omits the bytes.
    let kept = ((try? await runner.stopped(stopped.sorted())) ?? []).map { StoppedJob($0, shown: shown[$0.id]) }
    if kept.count > 1, AriaResults.current == nil {
      let width = style.profile.isInteractive ? TerminalDevice.size(2).columns : nil
      StopWords.writeTable(kept, width: width, profile: style.profile) { Messages.write($0) }
    }
    // A job that waits for a retry has begun, and is queued again.
    let waiting = await runner.queuedCount() - stopped.count { model.isWaiting($0) }
    Messages.print(StopWords.line(kept, again, reason, unstarted: max(0, waiting)))
  }

  /// Prints a line for people between updates of the display.
  func say(_ line: String) { view.say(line) }

  /// Updates the display ten times per second. While there is nothing to show, updates it after each event.
  private func tick() async throws {
    var changes = news.stream.makeAsyncIterator()
    while !Task.isCancelled {
      try await Task.sleep(for: .milliseconds(100))
      let restarts = model.restarts
      let snapshot = await runner.snapshot()
      // A snapshot from before a restart would make the counts rise and fall again.
      guard restarts == model.restarts else { continue }
      look(snapshot)
      tick(snapshot)
      // Other processes do not report their jobs to this one, so keep checking.
      let looksOn = (snapshot.elsewhere > 0 || isSettling) && !view.isSilent
      if snapshot.active.isEmpty, model.items.isEmpty, !looksOn, snapshot.outage == nil { _ = await changes.next() }
    }
  }

  /// Asks the store beside the display: a store that does not answer must not stop the bars.
  private func look(_ snapshot: RunnerSnapshot) {
    let wantsOthers = (snapshot.elsewhere > 0 || model.elsewhere > 0) && !view.isSilent
    let wantsHolds = snapshot.queued > 0 && !style.quiet
    if !wantsHolds { held = [] }
    guard !isLooking, wantsOthers || wantsHolds else { return }
    isLooking = true
    Task {
      let before = held.map(\.hold.until)
      // A failed read is repeated at the next check.
      if wantsOthers, let jobs = try? await runner.elsewhere() { model.updateElsewhere(jobs, now: System.now) }
      if wantsHolds { await lookForHolds() }
      isLooking = false
      if wantsOthers || held.map(\.hold.until) != before { news.continuation.yield() }
    }
  }

  private func take(_ event: JobEvent) {
    let now = System.now
    AriaResults.current?.record(event)
    let end = view.isSilent ? nil : model.apply(event, now: now)
    if case .upToDate = event.kind { unchanged += 1 }
    if var notice = Notice(event, details: style.verbose) {
      if case .upToDate = event.kind, !reportsUnchanged { notice.level = .detail }
      if style.progress == .bars, Notice.isInBar(event.kind) { notice.level = .detail }
      if end != nil, [.bars, .plain].contains(style.progress), AriaResults.current == nil,
        Notice.isInLastLine(event.kind)
      {
        notice.level = .detail
      }
      if isShown(notice.level) { view.say(notice.text) }
      if notice.level == .failure, !style.quiet, failures.count < 1000 { failures[event.id] = notice.text }
    }
    view.show(event, end, now: now)
    if case .started = event.kind { failures[event.id] = nil }
    switch event.kind {
    case .retrying, .interrupted(nil): stopped.insert(event.id)
    case .started, .paused, .removed, .failed, .interrupted, .complete, .completeWithoutFile, .upToDate, .skipped:
      stopped.remove(event.id)
      shown[event.id] = nil
    default: break
    }
    if case .retrying(let failure, _) = event.kind, failure.retryAfter != nil { refused.insert(event.id) }
    switch event.kind {
    case .failed(let failure), .interrupted(let failure?), .retrying(let failure, _): explainScheme(failure)
    case .started(_, isInsecure: true) where warnsOfInsecureJobs: view.say("[\(event.id)] " + InsecureWarning.text)
    case .complete(let path, _, _, _):
      lastFile = PathText.split(path).name
      if style.printsPaths { ResultOutput.standard.write(path + "\n") }
      if style.explainsPipe, !hasExplainedPipe {
        hasExplainedPipe = true
        view.say(PipeWords.line(path))
      }
    case .upToDate(let path) where style.printsPaths: ResultOutput.standard.write(path + "\n")
    default: break
    }
  }

  /// Finds the jobs that wait for holds, and reports each hold once.
  private func lookForHolds() async {
    let now = System.now
    guard now - lookedForHolds >= TransferSession.holdInterval else { return }
    lookedForHolds = now
    // A failed read is repeated at the next check.
    guard let held = try? await runner.heldJobs() else { return }
    self.held = held
    for one in held where reportedHolds[one.hold.origin] != one.hold.until {
      reportedHolds[one.hold.origin] = one.hold.until
      // The notice about the job's own retry has reported the hold.
      if one.count == 1, one.hold.job == one.first, refused.contains(one.first) { continue }
      guard reportedHolds.count <= TransferSession.mostHolds else { return }
      view.say(HoldText.line(one, now: WallClock.now()))
    }
  }

  /// The seconds between two checks, and the maximum number of reported holds. `dray list` shows all.
  private static let (holdInterval, mostHolds) = (0.3, 20)

  private func tick(_ snapshot: RunnerSnapshot) {
    let now = System.now
    if !view.isSilent { model.update(snapshot, now: now) }
    for active in snapshot.active { shown[active.id] = active.received }
    if !style.quiet, let words = others.words(snapshot, now: now) { view.say(words) }
    report(outage: snapshot.outage)
    report(refusals: snapshot.refusals)
    if let outage = snapshot.outage {
      view.showIdle("job store: \(outage.reason)", model, now: now)
    } else if snapshot.active.isEmpty, model.items.isEmpty, snapshot.elsewhere == 0, waitsForMore || snapshot.queued > 0
    {
      showIdle(snapshot, now)
    } else {
      idleSince = nil
      view.show(model, now: now)
    }
    ResultOutput.standard.flush()
  }

  /// Reports the beginning and the end of an outage of the store.
  private func report(outage: Failure?) {
    guard (outage != nil) != hasReportedOutage else { return }
    hasReportedOutage = outage != nil
    if !style.quiet { view.say(outage?.message ?? "the job store answers again") }
  }

  /// Reports each share that ceases to work here, or works again.
  private func report(refusals: [Failure]) {
    guard refusals != reportedRefusals else { return }
    let (old, new) = (Set(reportedRefusals.map(\.subject)), Set(refusals.map(\.subject)))
    if !style.quiet {
      for refusal in refusals where !reportedRefusals.contains(refusal) {
        view.say("\(refusal.message); this machine takes no jobs for it until then")
      }
      for share in old.subtracting(new).sorted() { view.say("\(share): the share works again; its jobs go on") }
    }
    reportedRefusals = refusals
  }

  /// Whether the idle time is still too short to report.
  private var isSettling: Bool { idleSince.map { System.now - $0.steady < TransferSession.settlingTime } ?? false }
  private static let settlingTime = 0.7

  /// Shows the reason for waiting of a run without active jobs.
  private func showIdle(_ snapshot: RunnerSnapshot, _ now: Double) {
    let since = idleSince ?? (now, WallClock.now())
    idleSince = since
    // Do not report the moment between two jobs.
    guard !isSettling else { return view.show(model, now: now) }
    let line = held.first.map { HoldText.line($0, now: WallClock.now()) } ?? IdleWords.line(snapshot)
    view.showIdle("\(line) (since \(TimeStamp.moment(since.wall, now: WallClock.now())))", model, now: now)
    // Holds have been reported with their reasons.
    guard waitsForMore || held.isEmpty, !hasReportedWait, !style.quiet, style.progress == .plain else { return }
    hasReportedWait = true
    view.say(line)
  }

  /// Explains once, for an origin that did not answer over https, how to request it over http.
  private func explainScheme(_ failure: Failure) {
    guard !assumedOrigins.isEmpty, failure.kind == .network || failure.kind == .tls,
      failure.obstacle != .unknownName,
      let origin = try? RequestURL.parse(failure.subject).url.origin,
      assumedOrigins.remove(origin.description) != nil
    else { return }
    view.say("https was used, as the URL has no scheme; for plain http write http://\(origin.host)/…")
  }

  private func isShown(_ level: Notice.Level) -> Bool {
    switch level {
    case .failure: true
    case .notice: !style.quiet
    case .detail: style.verbose
    }
  }

  /// Ends the process after some time, finished or not. Gives the jobs back first, if the store answers.
  private func endWithin(_ seconds: Double, _ number: Int32) {
    let runner = runner
    Task.detached {
      try? await Task.sleep(for: .seconds(seconds))
      Messages.print("not everything ended within \(Int(seconds)) s; giving the jobs back")
      await runner.giveUp()
      ResultOutput.standard.flush()
      SignalWatch.endProcess(number)
    }
  }

  /// Says after two seconds that the run is still ending: a store or a disk that cannot be reached may take long.
  private func remindOfEnding() {
    guard !style.quiet else { return }
    Task {
      try await Task.sleep(for: .seconds(2))
      guard summary == nil else { return }
      view.say("still stopping; Ctrl-C again ends at once")
    }
  }

  private func handle(_ request: SignalWatch.Request) {
    switch request {
    case .suspend:
      view.finish()
      SignalWatch.suspendProcess()
    case .end(let number):
      guard ending == nil else { return }
      ending = number
      runner.stop()
      remindOfEnding()
      if number == Signal.terminate, let grace { endWithin(grace, number) }
    }
  }
}
