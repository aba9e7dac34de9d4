// The log of a service: one line an event.
//
// Of its own, and not swift-log: that has no file that is rotated, and what it adds would be a second way to say things.

public import DrayCore
internal import Posix
internal import Synchronization

/// How much an event matters.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  /// Somebody has to do something.
  case error
  /// Something went wrong, and is dealt with.
  case warning
  /// What happens.
  case info
  /// How it happens.
  case debug

  /// Its name.
  public var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The level of that name.
  public init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// The priority that the journal knows it by (sd-daemon(3)).
  var priority: Int {
    switch self {
    case .error: 3
    case .warning: 4
    case .info: 6
    case .debug: 7
    }
  }

  /// What matters more comes first.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// Where a service says what happens. Any thread may write.
public final class ServiceLog: Sendable {
  /// Where lines go.
  public enum Place: Sendable, Equatable {
    /// A file, which is rotated.
    case file(String)
    /// Standard error, as the journal reads it.
    case journal
    /// Standard error, for people.
    case terminal
  }

  private let place: Place
  private let least: LogLevel
  private let file: Mutex<LogFile?>

  /// Makes a log.
  /// - Parameter level: what matters less is left out.
  /// - Throws: kind `file` where the file cannot be written.
  public init(_ place: Place, level: LogLevel) throws(Failure) {
    (self.place, least) = (place, level)
    if case .file(let path) = place { file = Mutex(try LogFile(path)) } else { file = Mutex(nil) }
  }

  /// Writes a line.
  /// - Parameter text: made only if it is written; without secrets.
  public func write(_ level: LogLevel, _ text: @autoclosure () -> String) {
    guard level <= least else { return }
    let line = LogLine.text(level, text(), time: System.secondsSince1970, place)
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
  static func text(_ level: LogLevel, _ text: String, time: Int64, _ place: ServiceLog.Place) -> String {
    // What servers and clients say must not become lines or control codes (P8).
    let text = TextSafety.escaped(text)
    return switch place {
    case .file: "\(System.localTime(time)) \(level.name) \(text)\n"
    case .journal: "<\(level.priority)>\(text)\n"
    case .terminal: "dray: \(text)\n"
    }
  }
}
