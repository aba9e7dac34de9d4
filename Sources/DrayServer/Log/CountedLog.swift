// Prevents clients without the secret from filling the log: of each kind of line only a few are written, and after
// these only the number of further lines.

internal import Logging
internal import Posix
internal import Synchronization

/// Decides which lines of each kind are written.
struct LineBudget: Sendable {
  /// The number of lines of a kind that are written in one period.
  static let most = 10
  /// The length of a period in seconds. The first line of a kind begins a period.
  static let period = 60.0

  private struct Kind {
    var begun: Double
    var written = 0
    var hidden = 0
  }

  private var kinds: [String: Kind] = [:]

  enum Decision: Equatable {
    case write
    /// The line is only counted. For the first such line in a period, the value says after how many seconds the number
    /// must be written (``close(_:)``).
    case count(dueAfter: Double?)
  }

  /// Decides whether a line is written. There are only a few kinds; each has its own counter.
  mutating func take(_ kind: String, now: Double) -> Decision {
    var entry = kinds[kind] ?? Kind(begun: now)
    defer { kinds[kind] = entry }
    if entry.hidden == 0, now - entry.begun >= Self.period { entry = Kind(begun: now) }
    guard entry.written >= Self.most || entry.hidden > 0 else {
      entry.written += 1
      return .write
    }
    entry.hidden += 1
    return .count(dueAfter: entry.hidden == 1 ? max(entry.begun + Self.period - now, 0) : nil)
  }

  /// Ends the present period of a kind.
  /// - Returns: The number of lines that were counted and not written.
  mutating func close(_ kind: String) -> Int { kinds.removeValue(forKey: kind)?.hidden ?? 0 }
}

/// A log for lines that any client can cause.
final class CountedLog: Sendable {
  private let log: Logger
  private let budget = Mutex(LineBudget())

  init(_ log: Logger) { self.log = log }

  /// Writes a line, or only counts it.
  /// - Parameter kind: The name of the lines that are counted together, which follows a number as in "13 more: ".
  func write(_ kind: String, _ level: Logger.Level, _ text: @autoclosure () -> String) {
    guard log.logLevel <= level else { return }
    switch budget.withLock({ $0.take(kind, now: System.now) }) {
    case .write: log.log(level: level, "\(text())")
    case .count(let seconds?):
      Task {
        try? await Task.sleep(for: .seconds(seconds))
        let count = budget.withLock { $0.close(kind) }
        if count > 0 { log.log(level: level, "\(count) more: \(kind)") }
      }
    case .count(nil): break
    }
  }
}
