// `dray watch` on a terminal: receives keys and changes, draws frames, and has commands carried out. WatchState decides
// what a key means.

internal import Dispatch
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

actor WatchProgram {
  private enum Event: Sendable {
    /// The bytes that the user typed; `nil` once the terminal is gone.
    case typed([UInt8]?)
    /// A short time has passed in which the user typed nothing.
    case pause
    case news(WatchNews)
    case details(WatchDetails)
    /// The jobs after a command, so that the next key applies to their new state.
    case changed([JobSummary])
    /// A new step, or a step that could not be undone.
    case did(WatchStep)
    case message(String, isError: Bool)
    /// A question whose answer was refused, and the error.
    case refused(WatchPrompt, String)
    /// A second has passed, or the window has another size.
    case tick
    /// The process was stopped and has been continued.
    case continued
    case signal(SignalWatch.Request)
    case failed(Failure)
  }

  private let backend: any WatchBackend
  private let profile: TerminalProfile
  private let terminal = RawTerminal(input: 0, output: WatchProgram.descriptor)
  private var painter = ScreenPainter(descriptor: WatchProgram.descriptor)
  private let events = AsyncStream.makeStream(of: Event.self)
  private var state = WatchState()
  private var decoder = KeyDecoder()
  private var frame = 0
  /// The steps that can be undone; the last step comes last.
  private var steps: [WatchStep] = []
  /// The command that was started last. Commands are carried out one after the other.
  private var lastCommand: Task<Void, Never>?

  private static let descriptor: Int32 = 2
  /// The maximum time between two bytes that belong to the same key.
  private static let keyTime = Duration.milliseconds(50)

  init(_ backend: any WatchBackend, _ profile: TerminalProfile) { (self.backend, self.profile) = (backend, profile) }

  /// Whether the user can type and see the screen.
  static var hasKeyboard: Bool { [0, 1, 2].allSatisfy { TerminalDevice.isTTY($0) } }

  /// Runs until the user leaves the display, or until a signal arrives.
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

  /// Reads the keyboard on a thread of its own.
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

  private func follow() async {
    let sink = events.continuation
    do throws(Failure) {
      try await backend.follow {
        await self.view
      } _: {
        sink.yield(.news($0))
      } _: {
        sink.yield(.message($0, isError: $1))
      }
    } catch {
      sink.yield(.failed(error))
    }
  }

  private var view: WatchView {
    WatchView(visible: Array(state.visible), isLoaded: state.isLoaded, limit: state.jobs.limit)
  }

  /// Handles an event.
  /// - Returns: The exit status if the event ends the display; otherwise `nil`.
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
    case .news(let news): state.apply(news, now: System.now)
    case .details(let details): state.show(details)
    case .changed(let records):
      let jobs = state.jobs
      state.apply(
        WatchNews(records: records, progress: jobs.progress, hasRunners: jobs.hasRunners, limit: jobs.limit),
        now: System.now)
    case .did(let step):
      steps = Array((steps + [step]).suffix(WatchStep.most))
      state.allowUndo(true)
    case .refused(let question, let text): state.refuse(question, text)
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
      for action in state.handle(key) {
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
    // If the process is in the background, it would draw over what the shell shows.
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
    case .pause(let id): control(id, .pause, "paused", .paused(id))
    case .resume(let id): control(id, .resume, "queued", .resumed(id))
    case .retry(let id): control(id, .retry, "queued")
    case .remove(let id): remove(id)
    case .undo: undo()
    case .move(let id, let place): move(id, to: place)
    case .add(let urls):
      command(WatchPrompt(purpose: .add, text: urls.joined(separator: "\n"))) { [backend] in try await backend.add(urls)
      }
    case .limit(let text):
      command(WatchPrompt(purpose: .limit, text: text)) { [backend] in try await backend.limit(text) }
    case .limitJob(let id, let text):
      command(WatchPrompt(purpose: .limitJob(id), text: text)) { [backend] in try await backend.limit(text, of: id) }
    }
  }

  /// Carries out a command after all earlier ones, and shows its message if there is one.
  /// - Parameter question: The question that is asked again if the command fails.
  private func command(_ question: WatchPrompt? = nil, _ body: @escaping @Sendable () async throws -> String?) {
    let context = CommandContext.current
    lastCommand = Task { [before = lastCommand, sink = events.continuation] in
      await before?.value
      do {
        let text = try await CommandContext.$current.withValue(context) { try await body() }
        if let text { sink.yield(.message(text, isError: false)) }
      } catch let failure as Failure {
        sink.yield(question.map { .refused($0, failure.message) } ?? .message(failure.message, isError: true))
      } catch {
        sink.yield(.message("\(error)", isError: true))
      }
    }
  }

  private func control(_ id: JobID, _ control: WatchControl, _ done: String, _ step: WatchStep? = nil) {
    command { [backend, sink = events.continuation] in
      let isDone = try await backend.control(id, control)
      sink.yield(.changed(try await backend.records([id])))
      guard isDone else { return WatchProgram.unanswered(id) }
      if let step { sink.yield(.did(step)) }
      return "job \(id) \(done)"
    }
  }

  static func unanswered(_ id: JobID) -> String { "job \(id): its runner was asked and has not answered yet" }

  /// Moves a job in the queue, and remembers its former place for an undo.
  private func move(_ id: JobID, to place: QueuePlace) {
    command { [backend, sink = events.continuation] in
      if let step = try await backend.move(id, to: place) { sink.yield(.did(step)) }
      return nil
    }
  }

  /// Removes a job, and remembers it for an undo.
  private func remove(_ id: JobID) {
    command { [backend, sink = events.continuation] in
      let (report, step) = try await backend.remove(id)
      sink.yield(.changed(try await backend.records([id])))
      if let step { sink.yield(.did(step)) }
      return report
    }
  }

  private func undo() {
    guard let step = steps.popLast() else { return }
    state.allowUndo(!steps.isEmpty)
    command { [backend, sink = events.continuation] in
      do throws(Failure) {
        let (id, report) = try await backend.takeBack(step)
        sink.yield(.changed(try await backend.records([id])))
        return report
      } catch {
        // The undo can be tried again, for example after another job has left the path of the file.
        if step.mayBeRepeated { sink.yield(.did(step)) }
        throw error
      }
    }
  }

  private func look(_ id: JobID) {
    let live = state.jobs.progress[id]
    Task { [backend, sink = events.continuation] in
      if let details = await backend.details(of: id, live: live) { sink.yield(.details(details)) }
    }
  }
}

/// Reports that the window has another size or that the process was continued, for as long as this object exists.
private final class WindowWatch {
  private let sources: [any DispatchSourceSignal]
  private static let queue = DispatchQueue(label: "dray.window")

  init(resized: @escaping @Sendable () -> Void, continued: @escaping @Sendable () -> Void) {
    // By default, neither of these signals ends a process. If a signal arrives too early, it is lost, but that does no
    // harm, because the size of the window is checked every second anyway.
    sources = [(Signal.resize, resized), (Signal.continue, continued)].map { number, act in
      let source = DispatchSource.makeSignalSource(signal: number, queue: WindowWatch.queue)
      source.setEventHandler(handler: act)
      source.resume()
      return source
    }
  }

  deinit { for source in sources { source.cancel() } }
}
