// Texts about named queues: their table, and why their jobs wait.

internal import DrayKit
internal import DrayWire
internal import TerminalUI

enum QueueText {
  /// Returns the reason why the jobs of a queue wait; `nil` if the queue is open.
  static func wait(_ name: String, _ gate: QueueGate, now: Double) -> String? {
    switch gate {
    case .open: nil
    case .paused: "queue \(name) is paused"
    case .spent(let until): "queue \(name): quota used up until \(TimeStamp.moment(until, now: now))"
    case .closed(let until): "queue \(name) is closed until \(TimeStamp.moment(until, now: now))"
    }
  }

  /// Returns the text that says that the jobs of an open queue wait for each other.
  static func room(_ name: String, _ limit: Int) -> String {
    "queue \(name): \(limit == 1 ? "one job" : "\(limit) jobs") at a time"
  }

  static func waits(_ queues: [DownloadManager.QueueReport], now: Double) -> WaitContext {
    WaitContext(now: now, queues: queues.reduce(into: [:]) { gates, queue in gates[queue.name] = queue.gate })
  }

  /// Writes a table of queues, fitted to a window of `width` columns. With `nil`, rows are not shortened.
  static func write(
    _ queues: [DownloadManager.QueueReport], now: Double, width: Int?, profile: TerminalProfile,
    to sink: (String) -> Void
  ) {
    let haveTimes = queues.contains { $0.settings.between != nil }
    var columns = [
      TextTable.Column("QUEUE", minimum: 5, cut: .end), TextTable.Column("STATE", minimum: 6),
      TextTable.Column("ACTIVE", isRightAligned: true), TextTable.Column("WAITING", isRightAligned: true),
      TextTable.Column("JOBS", isRightAligned: true), TextTable.Column("RATE", minimum: 4, cut: .end),
      TextTable.Column("QUOTA", minimum: 5, cut: .end), TextTable.Column("DIRECTORY", minimum: 9, cut: .middle),
    ]
    if haveTimes { columns.append(TextTable.Column("BETWEEN", minimum: 7, cut: .end, isOptional: true)) }
    let rows = queues.map { queue -> [TextTable.Cell] in
      var texts: [String] = [
        queue.name, state(queue, now: now), "\(queue.counts[.active] ?? 0)", "\(waiting(queue))",
        queue.settings.jobs.map { "\($0)" } ?? "off", queue.settings.rate ?? "off", quota(queue),
        queue.settings.directory ?? "",
      ]
      if haveTimes { texts.append(queue.settings.between ?? "") }
      return texts.map { TextTable.Cell(TextSafety.escaped($0)) }
    }
    TextTable(columns, width: width, profile: profile).write(rows, to: sink)
  }

  private static func state(_ queue: DownloadManager.QueueReport, now: Double) -> String {
    guard let time = queue.opensAt else { return queue.stateName }
    return "\(queue.stateName) until \(TimeStamp.moment(time, now: now))"
  }

  private static func waiting(_ queue: DownloadManager.QueueReport) -> Int {
    [JobState.queued, .interrupted, .paused].reduce(0) { $0 + (queue.counts[$1] ?? 0) }
  }

  private static func quota(_ queue: DownloadManager.QueueReport) -> String {
    guard let quota = queue.settings.quota else { return "off" }
    return "\(ByteCount.text(queue.used)) of \(quota.text)"
  }

  /// Returns one line with the settings of a queue, named by the options that set them.
  static func settings(_ settings: QueueSettings) -> String {
    var parts: [String] = []
    if let jobs = settings.jobs { parts.append("\(jobs) at once") }
    if let rate = settings.rate { parts.append("rate \(rate)") }
    if let between = settings.between { parts.append("between \(between)") }
    if let quota = settings.quota { parts.append("quota \(quota.text)") }
    if let directory = settings.directory { parts.append("in \(directory)") }
    if settings.isPaused { parts.append("paused") }
    return parts.isEmpty ? "no limits" : parts.joined(separator: ", ")
  }
}
