// `dray watch` on a terminal: keys and changes in, frames and commands out. WatchState decides their meanings.

internal import Dispatch
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Glibc
internal import Posix
internal import TerminalUI
internal import Threads

/// The loop of the full-screen display.
actor WatchProgram {
  /// Queues URLs as `dray add` does, and returns a report.
  typealias Adder = @Sendable ([String]) async throws -> String

  private enum Event: Sendable {
    /// Typed bytes; `nil` once the terminal is gone.
    case typed([UInt8]?)
    /// A moment without typed bytes.
    case pause
    case news(WatchNews)
    case details(WatchDetails)
    /// Jobs after a command, so that the next key applies to their new state.
    case changed([JobSummary])
    /// A step that can be taken back, or that could not be.
    case did(WatchStep)
    case message(String, isError: Bool)
    /// A second has passed, or the window has changed.
    case tick
    /// The process was stopped and continued.
    case continued
    case signal(SignalWatch.Request)
    case failed(Failure)
  }

  private let manager: DownloadManager
  private let ids: [JobID]?
  private let profile: TerminalProfile
  private let add: Adder
  private let terminal = RawTerminal(input: 0, output: WatchProgram.descriptor)
  private var painter = ScreenPainter(descriptor: WatchProgram.descriptor)
  private let events = AsyncStream.makeStream(of: Event.self)
  private var state = WatchState()
  private var decoder = KeyDecoder()
  private var frame = 0
  /// The steps that can be taken back, the last one at the end.
  private var steps: [WatchStep] = []
  /// The last command. Commands run in sequence.
  private var lastCommand: Task<Void, Never>?

  private static let descriptor: Int32 = 2
  /// The maximum number of complete jobs. The newest are shown.
  private static let mostComplete = 1000
  /// The maximum time between the bytes of one key.
  private static let keyTime = Duration.milliseconds(50)

  init(_ manager: DownloadManager, _ ids: [JobID]?, _ profile: TerminalProfile, add: @escaping Adder) {
    (self.manager, self.ids, self.profile, self.add) = (manager, ids, profile, add)
  }

  /// Runs until the user leaves or a signal arrives.
  func run() async throws -> ExitStatus {
    let sink = events.continuation
    let signals = SignalWatch(restore: "") { sink.yield(.signal($0)) }
    guard terminal.enter() else { return .other }
    defer { terminal.leave() }
    let window = WindowWatch(resized: { sink.yield(.tick) }, continued: { sink.yield(.continued) })
    read()
    let reading = Task { await self.follow() }
    let ticking = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(1))
        sink.yield(.tick)
      }
    }
    defer {
      reading.cancel()
      ticking.cancel()
      withExtendedLifetime((signals, window)) {}
    }
    render()
    for await event in events.stream {
      if let status = try take(event) { return status }
      render()
    }
    return .success
  }

  // MARK: In

  /// Reads the keyboard on a separate thread.
  private func read() {
    let (terminal, sink) = (terminal, events.continuation)
    do {
      try System.startThread("dray.keys", stackSize: 1 << 19) {
        while let bytes = terminal.read() { sink.yield(.typed(bytes)) }
        sink.yield(.typed(nil))
      }
    } catch {
      sink.yield(.typed(nil))
    }
  }

  /// Reads the changes of the jobs.
  private func follow() async {
    do throws(Failure) {
      for try await batch in manager.changes(of: ids).batches {
        events.continuation.yield(.news(try await news(batch)))
      }
    } catch {
      events.continuation.yield(.failed(error))
    }
  }

  /// Returns the changes in a batch.
  private func news(_ batch: JobChanges.Batch) async throws(Failure) -> WatchNews {
    let jobs = manager.jobs
    var news = WatchNews(progress: batch.progress, hasRunners: batch.hasRunners)
    if let records = batch.records {
      news.records = records
      news.waits = try await manager.waitContext()
      news.counts = try await jobs.counts(ids: ids.map { Set($0) })
      news.limit = try await manager.limit().map { RateText.text($0.rule.rate(at: WallClock.now(), zone: .current)) }
    } else {
      news.limit = state.jobs.limit
    }
    if !state.isLoaded, ids == nil { news.records += try await ended() }
    for change in batch.changes {
      if let record = change.record { news.records.append(record) } else { news.removed.append(change.id) }
    }
    // Read the visible rows from the store in any case, because changes of ended jobs are not reported.
    let visible = Array(state.visible)
    if !visible.isEmpty {
      let fresh = try await jobs.summaries(ids: visible)
      news.records += fresh
      news.removed += Set(visible).subtracting(fresh.map(\.id))
    }
    return news
  }

  /// Returns the ended jobs: all failed ones, and the newest complete ones.
  private func ended() async throws(Failure) -> [JobSummary] {
    let failed = try await manager.jobs.ids(states: [.failed])
    let complete = try await manager.jobs.ids(states: [.complete]).suffix(WatchProgram.mostComplete)
    return try await manager.jobs.summaries(ids: failed + complete)
  }

  /// Processes an event.
  /// - Returns: The exit status, at the end.
  private func take(_ event: Event) throws -> ExitStatus? {
    switch event {
    case .typed(nil): return .success
    case .typed(let bytes?):
      let status = take(decoder.take(bytes))
      if decoder.isOpen {
        Task { [sink = events.continuation] in
          try await Task.sleep(for: WatchProgram.keyTime)
          sink.yield(.pause)
        }
      }
      return status
    case .pause: return take(decoder.flush())
    case .news(let news): state.take(news, now: System.now)
    case .details(let details): state.take(details)
    case .changed(let records):
      let jobs = state.jobs
      state.take(
        WatchNews(records: records, progress: jobs.progress, hasRunners: jobs.hasRunners, limit: jobs.limit),
        now: System.now)
    case .did(let step):
      steps = Array((steps + [step]).suffix(WatchStep.most))
      state.allowUndo(true)
    case .message(let text, let isError): state.say(text, isError: isError)
    case .tick: if case .details(let id) = state.place { look(id) }
    case .continued: resume()
    case .signal(.suspend):
      terminal.leave()
      SignalWatch.suspendProcess()
      resume()
    case .signal(.end(let number)): return ExitStatus(rawValue: 128 + number) ?? .other
    case .failed(let failure): throw failure
    }
    return nil
  }

  private func take(_ keys: [Key]) -> ExitStatus? {
    for key in keys {
      for action in state.take(key) {
        if action == .quit { return .success }
        perform(action)
      }
    }
    return nil
  }

  // MARK: Out

  private func resume() {
    terminal.enter()
    painter.forget()
  }

  private func render() {
    // A process in the background would paint over its shell.
    guard TerminalDevice.isForeground(WatchProgram.descriptor) else { return }
    let window = TerminalDevice.size(WatchProgram.descriptor)
    state.resize(columns: window.columns, rows: window.rows)
    frame += 1
    let screen = WatchScreen(state: state, now: WallClock.now(), frame: frame, profile: profile)
    state.limitScroll(to: screen.mostScroll)
    painter.paint(screen.drawn, columns: window.columns, rows: window.rows)
  }

  private func perform(_ action: WatchAction) {
    switch action {
    case .quit: break
    case .redraw: painter.forget()
    case .look(let id): look(id)
    case .pause(let id):
      control(id, "paused", .paused(id)) { (jobs) throws(Failure) in try await jobs.pause([id]) }
    case .resume(let id):
      control(id, "queued", .resumed(id)) { (jobs) throws(Failure) in try await jobs.resume([id]) }
    case .retry(let id): control(id, "queued") { (jobs) throws(Failure) in try await jobs.retry([id]) }
    case .remove(let id): remove(id)
    case .undo: undo()
    case .move(let id, let place): move(id, to: place)
    case .add(let urls): command { [add] in try await add(urls) }
    case .limit(let text): command { [manager] in try await WatchLimits.set(text, manager) }
    case .limitJob(let id, let text): command { [manager] in try await WatchLimits.set(text, of: id, manager) }
    }
  }

  /// Runs a command after all earlier ones, and shows its message, if any.
  private func command(_ body: @escaping @Sendable () async throws -> String?) {
    let context = CommandContext.current
    lastCommand = Task { [before = lastCommand, sink = events.continuation] in
      await before?.value
      do {
        let text = try await CommandContext.$current.withValue(context) { try await body() }
        if let text { sink.yield(.message(text, isError: false)) }
      } catch let failure as Failure {
        sink.yield(.message(failure.message, isError: true))
      } catch {
        sink.yield(.message("\(error)", isError: true))
      }
    }
  }

  private func control(
    _ id: JobID, _ done: String, _ step: WatchStep? = nil,
    _ action: @escaping @Sendable (DownloadManager) async throws(Failure) -> [DownloadManager.ControlOutcome]
  ) {
    command { [manager, sink = events.continuation] in
      let result = try await action(manager).first?.result
      sink.yield(.changed(try await manager.jobs.summaries(ids: [id])))
      switch result {
      case .done?:
        if let step { sink.yield(.did(step)) }
        return "job \(id) \(done)"
      case .asked?: return "job \(id): its runner was asked and has not answered yet"
      case .refused(let reason, let advice)?:
        throw Failure(.other, "job \(id)", reason, advice: advice)
      case .unknown?, nil: throw JobIDs.unknown(id)
      }
    }
  }

  /// Moves a job in the queue, and keeps its former place for an undo.
  private func move(_ id: JobID, to place: QueuePlace) {
    command { [manager, sink = events.continuation] in
      let before = try await manager.jobs.summaries(ids: [id]).first
      try await manager.move([id], to: place)
      if let back = WatchStep.back(of: place), let before {
        sink.yield(.did(.moved(id, back: back, priority: before.priority)))
      }
      return nil
    }
  }

  /// Removes a job, and keeps it for an undo.
  private func remove(_ id: JobID) {
    command { [manager, sink = events.continuation] in
      // The removal deletes them.
      let waits = try await manager.jobs.summaries(ids: [id]).first?.waitsFor ?? []
      let result = try await manager.remove([id]).first?.result
      sink.yield(.changed(try await manager.jobs.summaries(ids: [id])))
      switch result {
      case .done(var job)?:
        job.specification.after = waits
        if let objection = UndoRule.objection(to: job) {
          return "job \(id) removed; it cannot be brought back: \(objection)"
        }
        sink.yield(.did(.removed(job)))
        return "job \(id) removed; u brings it back"
      case .asked?: return "job \(id): its runner was asked and has not answered yet"
      case .refused(let reason, let advice)?: throw Failure(.other, "job \(id)", reason, advice: advice)
      case .unknown?, nil: throw JobIDs.unknown(id)
      }
    }
  }

  /// Takes the last step back.
  private func undo() {
    guard let step = steps.popLast() else { return }
    state.allowUndo(!steps.isEmpty)
    command { [manager, sink = events.continuation] in
      do throws(Failure) {
        let (id, report) = try await step.takeBack(by: manager)
        sink.yield(.changed(try await manager.jobs.summaries(ids: [id])))
        return report
      } catch {
        // It can be tried again, for example once another job has left its target.
        if step.mayBeRepeated { sink.yield(.did(step)) }
        throw error
      }
    }
  }

  /// Reads everything about a job.
  private func look(_ id: JobID) {
    let live = state.jobs.progress[id]
    Task { [manager, sink = events.continuation] in
      // Parts that cannot be read stay empty. A failure of the store ends the display elsewhere.
      guard let job = try? await manager.jobs.job(id) else { return }
      let attempts = (try? await manager.jobs.attempts(of: id)) ?? []
      let after = (try? await manager.jobs.prerequisites(of: id)) ?? []
      let hold = (try? await manager.hold(on: job)) ?? nil
      let facts = JobFacts(
        job, after: after, hold: hold, live: live, names: .commandLine, waits: try? await manager.waitContext(),
        isFile: System.isFile)
      let page = JobPage(details: JobDetails(job: job, facts: facts, attempts: attempts)).text
      let map = job.checkpoint.size.map { FileMap(size: $0, done: job.checkpoint.segments.segments) }
      sink.yield(
        .details(
          WatchDetails(
            id: id, lines: page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), map: map)))
    }
  }
}

/// Sets limits as `dray limit` does.
private enum WatchLimits {
  static func set(_ text: String, _ manager: DownloadManager) async throws(Failure) -> String {
    if text == "auto" {
      try await manager.clearLimit()
      return "each runner uses its own limit"
    }
    _ = try OptionValue.rateRule(text, "the limit")
    try await manager.setLimit(text)
    return "limit of all runners: \(text)"
  }

  static func set(_ text: String, of id: JobID, _ manager: DownloadManager) async throws(Failure) -> String {
    let rate = text == "off" || text == "auto" ? nil : try OptionValue.read(text, .rate, "the limit of job \(id)")
    guard try await manager.jobs.setRateLimit(rate, of: id) else { throw JobIDs.unknown(id) }
    return "job \(id): \(RateText.text(rate))"
  }
}

/// Reports that the window was resized or the process continued, during its own lifetime.
private final class WindowWatch {
  private let sources: [any DispatchSourceSignal]
  private static let queue = DispatchQueue(label: "dray.window")

  init(resized: @escaping @Sendable () -> Void, continued: @escaping @Sendable () -> Void) {
    // By default neither signal ends a process. An early signal is lost without harm, because the size of the window is
    // checked every second anyway.
    sources = [(SIGWINCH, resized), (SIGCONT, continued)].map { number, act in
      let source = DispatchSource.makeSignalSource(signal: number, queue: WindowWatch.queue)
      source.setEventHandler(handler: act)
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
