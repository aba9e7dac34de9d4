// The log of a service: a swift-log handler that writes one line per event to a file or to standard error.

internal import Dispatch
package import DrayCore
package import Logging
internal import Posix
internal import Synchronization

/// Writes the log of a service. Any thread may log, and no thread waits for the disk or for the reader of standard
/// error.
package struct ServiceLog: LogHandler {
  package enum Place: Sendable, Equatable {
    case file(String)
    /// Standard error, in the format that systemd's journal reads.
    case journal
    /// Standard error, in a format that people read.
    case terminal
  }

  /// The lowest level whose lines are written.
  package var logLevel: Logger.Level
  /// The metadata that each line contains after its text.
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let lines: LogLines

  /// Opens the log.
  /// - Throws: ``Failure`` of the kind `file` if the log's file cannot be written.
  init(_ place: Place, level: Logger.Level) throws(Failure) {
    lines = try LogLines(place)
    logLevel = level
  }

  /// Returns a logger for a service.
  /// - Throws: ``Failure`` of the kind `file` if the log's file cannot be written.
  package static func logger(_ place: Place, level: Logger.Level) throws(Failure) -> Logger {
    let log = try ServiceLog(place, level: level)
    return Logger(label: "dray.serve") { _ in log }
  }

  /// Waits until all lines so far are written, but at most for this time, because nobody may be reading them.
  package static func finish(within seconds: Double = 1) {
    let isDone = DispatchSemaphore(value: 0)
    LogLines.writer.async { isDone.signal() }
    _ = isDone.wait(timeout: .now() + seconds)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var all = metadataProvider?.get() ?? [:]
    all.merge(metadata) { $1 }
    all.merge(event.metadata ?? [:]) { $1 }
    lines.write(event.level, LogLine.text(event.message.description, all))
  }
}

extension Logger.Level {
  /// The levels that a user can choose.
  package static let offered: [Logger.Level] = [.error, .warning, .info, .debug]

  /// The priority of a level in systemd's journal (sd-daemon(3)).
  var priority: Int {
    switch self {
    case .critical: 2
    case .error: 3
    case .warning: 4
    case .notice: 5
    case .info: 6
    case .debug, .trace: 7
    }
  }
}

/// The destination of a log, which all copies of the log share.
private final class LogLines: Sendable {
  /// The thread that writes the lines. It may be blocked for as long as nobody reads standard error.
  static let writer = DispatchQueue(label: "dray.log")
  /// The maximum number of lines that wait to be written. Beyond that number, lines are only counted.
  private static let most = 1000

  private let place: ServiceLog.Place
  private let file: Mutex<LogFile?>
  private let waiting = Mutex((lines: 0, lost: 0))

  init(_ place: ServiceLog.Place) throws(Failure) {
    self.place = place
    if case .file(let path) = place { file = Mutex(try LogFile(path)) } else { file = Mutex(nil) }
  }

  func write(_ level: Logger.Level, _ text: String) {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.lost == 0, waiting.lines < Self.most else {
        waiting.lost += 1
        return false
      }
      waiting.lines += 1
      return true
    }
    guard hasRoom else { return }
    let line = LogLine.text(level, text, time: System.secondsSince1970, place)
    Self.writer.async { [self] in
      put(line)
      let lost = waiting.withLock { waiting in
        waiting.lines -= 1
        defer { if waiting.lines == 0 { waiting.lost = 0 } }
        return waiting.lines == 0 ? waiting.lost : 0
      }
      guard lost > 0 else { return }
      put(
        LogLine.text(
          .warning, "\(lost) lines are missing here: nobody read the log", time: System.secondsSince1970, place))
    }
  }

  private func put(_ line: String) {
    file.withLock { file in
      if file != nil {
        file?.write(line)
      } else {
        // An error here is ignored. The reader of standard error may be gone, but the service continues.
        try? System.write(line.utf8, to: 2)
      }
    }
  }
}

enum LogLine {
  /// The metadata that follows the text without its key, as in messages for people: the first of these that there is.
  private static let mainKeys = ["path", "error", "reason", "result", "note"]

  /// Returns a text with its metadata, and the job at its start: `[7] complete: /srv/f bytes=300`.
  static func text(_ text: String, _ metadata: Logger.Metadata) -> String {
    var facts = metadata.mapValues(\.description)
    let job = facts.removeValue(forKey: "job").map { "[\($0)] " } ?? ""
    let main = mainKeys.first { facts[$0] != nil }.flatMap { facts.removeValue(forKey: $0) }
    let rest = facts.sorted { $0.key < $1.key }.map { " \($0.key)=\(quoted($0.value))" }.joined()
    return job + text + (main.map { ": \($0)" } ?? "") + rest
  }

  private static func quoted(_ value: String) -> String {
    guard value.isEmpty || value.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) else { return value }
    return "\"" + value.replacing("\"", with: "\\\"") + "\""
  }

  static func text(_ level: Logger.Level, _ text: String, time: Int64, _ place: ServiceLog.Place) -> String {
    // A text that comes from a server or a client must not become additional lines or control codes (P8).
    let text = TextSafety.escaped(text)
    return switch place {
    case .file: "\(System.localTime(time)) \(level) \(text)\n"
    case .journal: "<\(level.priority)>\(text)\n"
    case .terminal: "dray: \(text)\n"
    }
  }
}
