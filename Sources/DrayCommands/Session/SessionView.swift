// How a run is shown: bars, plain lines, JSON, or nothing. All decisions about words are made elsewhere.

internal import DrayKit
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

/// Shows a run. Called from one place at a time.
protocol SessionView: AnyObject {
  /// Whether it shows nothing but lines for people, and needs to know nothing of jobs.
  var isSilent: Bool { get }
  /// Something happened.
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double)
  /// A tenth of a second has passed.
  func show(_ model: SessionModel, now: Double)
  /// Nothing is transferred; `line` says what is waited for.
  func showIdle(_ line: String, _ model: SessionModel, now: Double)
  /// A line for people, with the program's name before it.
  func say(_ line: String)
  /// The run is over, or the process is about to be stopped.
  func finish()
}

extension SessionView {
  var isSilent: Bool { false }
  func showIdle(_ line: String, _ model: SessionModel, now: Double) { show(model, now: now) }
}

/// Shows nothing but lines for people.
final class SilentView: SessionView {
  var isSilent: Bool { true }
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {}
  func show(_ model: SessionModel, now: Double) {}
  func say(_ line: String) { Messages.print(line) }
  func finish() {}
}

/// Sparse lines on standard error.
final class PlainView: SessionView {
  private var reporter = PlainReporter()
  private var model = SessionModel()
  /// Jobs whose start was reported.
  private var begun: Set<Int> = []

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    guard let ending else { return }
    begun.remove(ending.item.id)
    // One that was too quick for a look begins and ends in one.
    write(reporter.lines(for: [ending.item], totals: model.totals(), now: now))
  }

  func show(_ model: SessionModel, now: Double) {
    self.model = model
    // That a job is tried again is a notice already.
    let (items, totals) = (model.items.filter { $0.state != .retrying }, model.totals())
    // The line at the beginning says where it began, not how far it came since.
    let new = items.filter { $0.state == .active && begun.insert($0.id).inserted }
    let starts = new.map { item in
      var start = item
      start.received = model.start(of: JobID(item.id)) ?? item.received
      return start
    }
    write(reporter.lines(for: starts, totals: totals, now: now) + reporter.lines(for: items, totals: totals, now: now))
  }

  func say(_ line: String) { Messages.print(line) }
  func finish() {}

  private func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    try? System.write(lines.map { TextSafety.escaped($0) + "\n" }.joined().utf8, to: 2)
  }
}

/// One JSON object a line on standard output.
final class JSONView: SessionView {
  private let output: ResultOutput
  private var reported: [JobID: (received: Int64, time: Double)] = [:]
  /// Seconds between two lines about the progress of one job.
  private static let interval = 0.25

  init(_ output: ResultOutput) { self.output = output }

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    // So that readers see where the job was when it ended.
    output.write(EventJSON.line(event, .commandLine))
    if ending != nil { reported[event.id] = nil }
    output.flush()
  }

  func show(_ model: SessionModel, now: Double) {
    for item in model.items where item.state == .active || item.state == .sending {
      let id = JobID(item.id)
      if let last = reported[id], now - last.time < JSONView.interval || last.received == item.received { continue }
      reported[id] = (item.received, now)
      output.write(EventJSON.movement(item, time: WallClock.now()))
    }
    output.flush()
  }

  func say(_ line: String) { Messages.print(line) }
  func finish() { output.flush() }
}

/// Bars on standard error.
final class BarsView: SessionView {
  private let profile: TerminalProfile
  private let painter: LivePainter
  private var frame = 0
  private static let descriptor: Int32 = 2

  init(profile: TerminalProfile) {
    self.profile = profile
    painter = LivePainter(descriptor: BarsView.descriptor, profile: profile)
  }

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    guard let ending, ending.item.state == .complete else { return }
    print(
      CompletionLine.onTerminal(
        ending.item, seconds: ending.seconds, transferred: ending.transferred, profile: profile))
  }

  func show(_ model: SessionModel, now: Double) {
    show(model.items, model.totals())
  }

  func showIdle(_ line: String, _ model: SessionModel, now: Double) {
    show(model.items, model.totals(), idle: line)
  }

  /// Paints one frame.
  /// - Parameter idle: what is waited for, where there are no items.
  func show(_ items: [BarItem], _ totals: Totals, idle: String? = nil) {
    // A process in the background would paint over its shell.
    guard TerminalDevice.isForeground(BarsView.descriptor) else { return }
    let window = TerminalDevice.size(BarsView.descriptor)
    frame += 1
    var lines = BarsFrame.draw(
      items: items, totals: totals, width: window.columns, height: window.rows, frame: frame, profile: profile)
    if let idle {
      var line = StyledLine()
      let text = TextFit.truncatedEnd(idle, width: window.columns, ellipsis: profile.ellipsis)
      line.append(text, .dim, profile: profile)
      lines.insert(line, at: 0)
    }
    painter.paint(lines, columns: window.columns, progress: items.isEmpty ? nil : TaskbarProgress(totals))
  }

  func say(_ line: String) { print(Messages.line(line)) }

  func finish() { painter.finish(erasing: true) }

  private func print(_ line: String) {
    painter.printAbove([line], columns: TerminalDevice.size(BarsView.descriptor).columns)
  }
}
