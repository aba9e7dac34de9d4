// The log of a service: swift-log's loggers, with one line an event, in a file that is rotated or on standard error.

public import DrayCore
public import Logging
internal import Posix
internal import Synchronization

/// Writes what a service's logger is told. Any thread may log.
public struct ServiceLog: LogHandler {
  /// Where lines go.
  public enum Place: Sendable, Equatable {
    /// A file, which is rotated.
    case file(String)
    /// Standard error, as the journal reads it.
    case journal
    /// Standard error, for people.
    case terminal
  }

  /// What matters less is left out.
  public var logLevel: Logger.Level
  /// Facts that each line has after its text.
  public var metadata: Logger.Metadata = [:]
  /// Adds facts of the moment.
  public var metadataProvider: Logger.MetadataProvider?
  private let lines: LogLines

  /// Opens a log.
  /// - Throws: kind `file` where the file cannot be written.
  init(_ place: Place, level: Logger.Level) throws(Failure) {
    lines = try LogLines(place)
    logLevel = level
  }

  /// The logger of a service.
  /// - Throws: kind `file` where the file cannot be written.
  public static func logger(_ place: Place, level: Logger.Level) throws(Failure) -> Logger {
    let log = try ServiceLog(place, level: level)
    return Logger(label: "dray.serve") { _ in log }
  }

  /// One of the facts.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes a line.
  public func log(event: LogEvent) {
    var all = metadataProvider?.get() ?? [:]
    all.merge(metadata) { $1 }
    all.merge(event.metadata ?? [:]) { $1 }
    let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    lines.write(event.level, event.message.description + facts)
  }
}

extension Logger.Level {
  /// Those that a service's user chooses from.
  public static let offered: [Logger.Level] = [.error, .warning, .info, .debug]

  /// The priority that the journal knows it by (sd-daemon(3)).
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

/// The place that copies of a log write to.
private final class LogLines: Sendable {
  private let place: ServiceLog.Place
  private let file: Mutex<LogFile?>

  init(_ place: ServiceLog.Place) throws(Failure) {
    self.place = place
    if case .file(let path) = place { file = Mutex(try LogFile(path)) } else { file = Mutex(nil) }
  }

  func write(_ level: Logger.Level, _ text: String) {
    let line = LogLine.text(level, text, time: System.secondsSince1970, place)
    file.withLock { file in
      if file != nil {
        file?.write(line)
      } else {
        // Nobody may read it any more; the service goes on.
        try? System.write(line.utf8, to: 2)
      }
    }
  }
}

/// A line as it is written.
enum LogLine {
  static func text(_ level: Logger.Level, _ text: String, time: Int64, _ place: ServiceLog.Place) -> String {
    // What servers and clients say must not become lines or control codes (P8).
    let text = TextSafety.escaped(text)
    return switch place {
    case .file: "\(System.localTime(time)) \(level) \(text)\n"
    case .journal: "<\(level.priority)>\(text)\n"
    case .terminal: "dray: \(text)\n"
    }
  }
}
