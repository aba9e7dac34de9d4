// The views of a run: bars, plain lines, JSON, or nothing. Other files decide what the texts say.

internal import DrayKit
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

/// Shows a run to the user or to a program. Its methods are never called from two threads at once.
protocol SessionView: AnyObject {
  /// Whether the view shows only messages for people, and needs no data about jobs.
  var isSilent: Bool { get }
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double)
  /// Shows the state of the run; called every tenth of a second.
  func show(_ model: SessionModel, now: Double)
  /// Shows that nothing is being transferred; `line` gives the reason.
  func showIdle(_ line: String, _ model: SessionModel, now: Double)
  /// Prints a message for people, with the program's name in front.
  func say(_ line: String)
  /// Removes the display, because the run is over or the process is about to stop.
  func finish()
}

extension SessionView {
  var isSilent: Bool { false }
  func showIdle(_ line: String, _ model: SessionModel, now: Double) { show(model, now: now) }
}

/// Shows only messages for people.
final class SilentView: SessionView {
  var isSilent: Bool { true }
  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {}
  func show(_ model: SessionModel, now: Double) {}
  func say(_ line: String) { Messages.print(line) }
  func finish() {}
}

/// Writes a line to standard error now and then.
final class PlainView: SessionView {
  private var reporter = PlainReporter()
  /// The totals as they were at the last update. Adding them up for each small file would take longer than the file
  /// itself.
  private var totals = Totals()
  /// The jobs whose start has been reported.
  private var begun: Set<Int> = []

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    guard let ending else { return }
    begun.remove(ending.item.id)
    // A job that ends very quickly may not be in any snapshot.
    write(reporter.lines(for: [ending.item], totals: totals, now: now))
  }

  func show(_ model: SessionModel, now: Double) {
    totals = model.totals()
    // A notice has already reported that the job will be retried. Bytes may be counted before the answer says where
    // they begin, so jobs without that answer are not reported yet.
    let items = model.items.filter {
      $0.state != .retrying && ($0.state != .active || begun.contains($0.id) || model.knowsStart(of: JobID($0.id)))
    }
    // The first line about a job shows the position at which it starts, and not the progress since then.
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
  /// The minimum number of seconds between two lines about the progress of one job.
  private static let interval = 0.25

  init(_ output: ResultOutput) { self.output = output }

  func show(_ event: JobEvent, _ ending: SessionModel.Ending?, now: Double) {
    output.write(EventJSON.line(event, .commandLine))
    if ending != nil { reported[event.id] = nil }
    output.flush()
  }

  func show(_ model: SessionModel, now: Double) {
    // A reader that has stopped reading does not need the progress that it missed.
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

  /// Draws one frame.
  /// - Parameter idle: The reason why the run waits, which is shown if there are no items.
  func show(_ items: [BarItem], _ totals: Totals, idle: String? = nil) {
    // If the process is in the background, it would draw over what the shell shows.
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
