// The views of a run: bars, plain lines, JSON, or nothing. All texts are decided elsewhere.

internal import DrayKit
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

/// Shows a run. Its methods are called from one place at a time.
protocol SessionView: AnyObject {
  /// Whether the view shows only lines for people, and needs no data about jobs.
  var isSilent: Bool { get }
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double)
  /// Shows the state of the run, every tenth of a second.
  func show(_ model: SessionModel, now: Double)
  /// Shows that nothing is transferred, with the reason in `line`.
  func showIdle(_ line: String, _ model: SessionModel, now: Double)
  /// Prints a line for people, with the program's name.
  func say(_ line: String)
  /// Ends the display, because the run is over or the process is about to stop.
  func finish()
}

extension SessionView {
  var isSilent: Bool { false }
  func showIdle(_ line: String, _ model: SessionModel, now: Double) { show(model, now: now) }
}

/// Shows only lines for people.
final class SilentView: SessionView {
  var isSilent: Bool { true }
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {}
  func show(_ model: SessionModel, now: Double) {}
  func say(_ line: String) { Messages.print(line) }
  func finish() {}
}

/// Writes sparse lines to standard error.
final class PlainView: SessionView {
  private var reporter = PlainReporter()
  /// The totals at the last update. Adding them up for each small file would cost more than the file.
  private var totals = Totals()
  /// The jobs whose start was reported.
  private var begun: Set<Int> = []

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    guard let ending else { return }
    begun.remove(ending.item.id)
    // A very fast job begins and ends between two snapshots.
    write(reporter.lines(for: [ending.item], totals: totals, now: now))
  }

  func show(_ model: SessionModel, now: Double) {
    totals = model.totals()
    // A notice has already reported the retry. Wait for the answer that says where the bytes begin, because they may be
    // counted before.
    let items = model.items.filter {
      $0.state != .retrying && ($0.state != .active || begun.contains($0.id) || model.knowsStart(of: JobID($0.id)))
    }
    // The first line shows the position of the start, not the progress since.
    let new = items.filter { $0.state == .active && begun.insert($0.id).inserted }
    let starts = new.map { item in
      var start = item
      start.start = model.start(of: JobID(item.id))
      start.received = start.start ?? item.received
      return start
    }
    write(reporter.lines(for: starts, totals: totals, now: now) + reporter.lines(for: items, totals: totals, now: now))
  }

  func say(_ line: String) { Messages.print(line) }
  func finish() {}

  private func write(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    Messages.write(lines.map { TextSafety.escaped($0) + "\n" }.joined())
  }
}

/// Writes one JSON object per line to standard output.
final class JSONView: SessionView {
  private let output: ResultOutput
  private var reported: [JobID: (received: Int64, time: Double)] = [:]
  /// The minimum seconds between two lines about one job's progress.
  private static let interval = 0.25

  init(_ output: ResultOutput) { self.output = output }

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    output.write(EventJSON.line(event, .commandLine))
    if ending != nil { reported[event.id] = nil }
    output.flush()
  }

  func show(_ model: SessionModel, now: Double) {
    // A reader that has stopped needs no history of the progress.
    for item in model.items where !output.isBehind && (item.state == .active || item.state == .sending) {
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

/// Shows bars on standard error.
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
    print([
      CompletionLine.onTerminal(
        ending.item, seconds: ending.seconds, transferred: ending.transferred, profile: profile)
    ])
  }

  func show(_ model: SessionModel, now: Double) {
    show(model.items, model.totals())
  }

  func showIdle(_ line: String, _ model: SessionModel, now: Double) {
    show(model.items, model.totals(), idle: line)
  }

  /// Paints one frame.
  /// - Parameter idle: The reason for waiting, shown if there are no items.
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

  func say(_ line: String) { print(Messages.lines(Messages.line(line))) }

  func finish() { painter.finish(erasing: true, columns: TerminalDevice.size(BarsView.descriptor).columns) }

  private func print(_ lines: [String]) {
    painter.printAbove(lines, columns: TerminalDevice.size(BarsView.descriptor).columns)
  }
}
