// A run at the terminal: it drives a runner, shows events and progress, and handles signals.

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
  /// Yields a value whenever there may be something new to show.
  private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private var others = OthersReport()
  private let waitsForMore: Bool
  /// The time at which the run last became idle, on the monotonic clock and in seconds since 1970.
  private var idleSince: (steady: Double, wall: Double)?
  private var hasReportedWait = false
  /// Whether the session warns about a job that checks no certificates when the job starts. For `get` this is false,
  /// because it warns earlier.
  private let warnsOfInsecureJobs: Bool

  /// Whether each file that is already up to date is reported. A directory tree may contain thousands of such files.
  private let reportsUnchanged: Bool
  private var unchanged = 0

  /// The origins that are contacted over https only because the user typed no scheme.
  private var assumedOrigins: Set<String>

  private let herald: Herald?
  /// Whether the user has been told where the file is.
  private var hasExplainedPipe = false
  private var lastFile: String?
  /// The messages about jobs that did not succeed, by the jobs' ids.
  private var failures: [JobID: String] = [:]
  /// The time at which each refusal of a name was last printed, by its message.
  private var refusedNames: [String: Double] = [:]
  /// The jobs that wait for servers which asked for a pause; below it, the time of the last check, and the ends of the
  /// pauses that were reported, by origin.
  private var held: [HeldJobs] = []
  private var lookedForHolds = -Double.infinity
  private var reportedHolds: [String: Double] = [:]
  /// Whether the store is being read for the display at this moment.
  private var isLooking = false
  /// Whether the user has been told that the store does not answer.
  private var hasReportedOutage = false
  /// The shares that were reported because they do not work here, as failures.
  private var reportedRefusals: [Failure] = []
  /// The jobs whose notices about a retry have reported how long their servers asked to wait.
  private var refused: Set<JobID> = []
  /// The jobs that a signal stopped, including those that were waiting for a retry.
  private var stopped: Set<JobID> = []
  /// The number of received bytes of each unfinished job, as it was shown last.
  private var shown: [JobID: Int64] = [:]
  /// The number of seconds within which the run must end after SIGTERM; `nil` for no limit.
  private let grace: Double?
  /// The command that a message after a signal names for continuing the jobs.
  private let again: StopWords.Again
  /// The outcomes of the jobs; `nil` until the run has ended.
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

  /// Runs until nothing is left to do, or until a signal arrives.
  /// - Throws: Kind `store` if the store can no longer be used.
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
    // A run may end before these failures were shown.
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

  /// After a stop, reports the kept bytes of each job, and the command that continues the jobs.
  private func reportStop(_ reason: StopWords.Reason) async {
    // If the store does not answer, the line lacks the number of bytes.
    let kept = ((try? await runner.stopped(stopped.sorted())) ?? []).map { StoppedJob($0, shown: shown[$0.id]) }
    if kept.count > 1, AriaResults.current == nil {
      let width = style.profile.isInteractive ? TerminalDevice.size(2).columns : nil
      StopWords.writeTable(kept, width: width, profile: style.profile) { Messages.write($0) }
    }
    // A job that waits for a retry has begun, but is in the queue again.
    let waiting = await runner.queuedCount() - stopped.count { model.isWaiting($0) }
    Messages.print(StopWords.line(kept, again, reason, unstarted: max(0, waiting)))
  }

  /// Prints a message for people between two updates of the display.
  func say(_ line: String) { view.say(line) }

  /// Updates the display ten times per second. While there is nothing to show, the display is updated after each event
  /// instead.
  private func tick() async throws {
    var changes = news.stream.makeAsyncIterator()
    while !Task.isCancelled {
      try await Task.sleep(for: .milliseconds(100))
      let restarts = model.restarts
      let snapshot = await runner.snapshot()
      // A snapshot from before a restart would let the counts rise and fall again.
      guard restarts == model.restarts else { continue }
      look(snapshot)
      tick(snapshot)
      // Other processes do not report to this one when their jobs change, so the store is read again and again.
      let looksOn = (snapshot.elsewhere > 0 || isSettling) && !view.isSilent
      if snapshot.active.isEmpty, model.items.isEmpty, !looksOn, snapshot.outage == nil { _ = await changes.next() }
    }
  }

  /// Reads the store in a task of its own, so that a store that does not answer cannot stop the bars.
  private func look(_ snapshot: RunnerSnapshot) {
    let wantsOthers = (snapshot.elsewhere > 0 || model.elsewhere > 0) && !view.isSilent
    let wantsHolds = snapshot.queued > 0 && !style.quiet
    if !wantsHolds { held = [] }
    guard !isLooking, wantsOthers || wantsHolds else { return }
    isLooking = true
    Task {
      let before = held.map(\.hold.until)
      // If the read fails, it is repeated at the next check.
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
      if case .upToDate(_, isEdited: false) = event.kind, !reportsUnchanged { notice.level = .detail }
      if style.progress == .bars, Notice.isInBar(event.kind) { notice.level = .detail }
      if end != nil, [.bars, .plain].contains(style.progress), AriaResults.current == nil,
        Notice.isInLastLine(event.kind)
      {
        notice.level = .detail
      }
      let isNews = isNews(event.kind, now: now)
      if isNews, isShown(notice.level) { view.say(notice.text) }
      if isNews, notice.level == .failure, !style.quiet, failures.count < 1000 { failures[event.id] = notice.text }
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
    case .started(_, isInsecure: true, _) where warnsOfInsecureJobs: view.say("[\(event.id)] " + InsecureWarning.text)
    case .complete(let path, _, _, _):
      lastFile = path
      guard style.isKnown(path) else { break }
      if style.printsPaths { ResultOutput.standard.write(path + "\n") }
      if style.explainsPipe, !hasExplainedPipe {
        hasExplainedPipe = true
        view.say(PipeWords.line(path))
      }
    case .upToDate(let path, _) where style.printsPaths: ResultOutput.standard.write(path + "\n")
    default: break
    }
  }

  /// Whether to print a line about an event. If a source refuses a name, each of its files fails, possibly thousands;
  /// the refusal is printed once.
  private func isNews(_ kind: JobEvent.Kind, now: Double) -> Bool {
    let failure: Failure
    switch kind {
    case .failed(let one), .interrupted(let one?): failure = one
    default: return true
    }
    guard failure.isOfName == true else { return true }
    if refusedNames.count > TransferSession.mostHolds { refusedNames = [:] }
    let last = refusedNames.updateValue(now, forKey: failure.message)
    return last.map { now - $0 > TransferSession.repetitionTime } ?? true
  }

  /// The seconds after which the same refusal of a name is printed again.
  private static let repetitionTime = 10.0

  /// Finds the jobs that wait for a server's pause, and reports each pause once.
  private func lookForHolds() async {
    let now = System.now
    guard now - lookedForHolds >= TransferSession.holdInterval else { return }
    lookedForHolds = now
    // If the read fails, it is repeated at the next check.
    guard let held = try? await runner.heldJobs() else { return }
    self.held = held
    for one in held where reportedHolds[one.hold.origin] != one.hold.until {
      reportedHolds[one.hold.origin] = one.hold.until
      // The notice about the job's own retry has already reported this pause.
      if one.count == 1, one.hold.job == one.first, refused.contains(one.first) { continue }
      guard reportedHolds.count <= TransferSession.mostHolds else { return }
      view.say(HoldText.line(one, now: WallClock.now()))
    }
  }

  /// The number of seconds between two checks, and the maximum number of pauses that are reported. `dray list` shows
  /// all of them.
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

  /// Reports when the store stops answering, and when it answers again.
  private func report(outage: Failure?) {
    guard (outage != nil) != hasReportedOutage else { return }
    hasReportedOutage = outage != nil
    if !style.quiet { view.say(outage?.message ?? "the job store answers again") }
  }

  /// Reports each share that no longer works here, or that works again.
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

  /// Whether the run has been idle for too short a time to report it.
  private var isSettling: Bool { idleSince.map { System.now - $0.steady < TransferSession.settlingTime } ?? false }
  private static let settlingTime = 0.7

  /// Shows why a run without active jobs waits.
  private func showIdle(_ snapshot: RunnerSnapshot, _ now: Double) {
    let since = idleSince ?? (now, WallClock.now())
    idleSince = since
    // The short time between two jobs is not reported.
    guard !isSettling else { return view.show(model, now: now) }
    let line = held.first.map { HoldText.line($0, now: WallClock.now()) } ?? IdleWords.line(snapshot)
    view.showIdle("\(line) (since \(TimeStamp.moment(since.wall, now: WallClock.now())))", model, now: now)
    // Pauses that servers asked for have already been reported with their reasons.
    guard waitsForMore || held.isEmpty, !hasReportedWait, !style.quiet, style.progress == .plain else { return }
    hasReportedWait = true
    view.say(line)
  }

  /// If an origin did not answer over https, explains once how to use http instead.
  private func explainScheme(_ failure: Failure) {
    guard !assumedOrigins.isEmpty, failure.kind == .network || failure.kind == .tls,
      failure.obstacle != .unknownName, failure.obstacle != .missingInterface,
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

  /// Ends the process after some time, even if the run is not finished. Before that, the jobs are given back to the
  /// queue if the store answers.
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

  /// Tells the user after two seconds that the run is still ending, because a store or a disk that cannot be reached
  /// may take long.
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
