// Progress shown outside of the text: in the tab, the title or the taskbar (OSC 9;4, after ConEmu).

/// What the terminal's own progress indicator is to show.
public enum TaskbarProgress: Sendable, Hashable {
  /// Whole percents, 0 to 100.
  case normal(Int)
  /// Something runs, for an unknown time.
  case indeterminate
  /// Something failed, at this percentage.
  case error(Int)
  /// Everything waits, at this percentage.
  case paused(Int)

  /// Removes the indicator.
  static let removal = "\u{1B}]9;4;0\u{1B}\\"

  /// The indicator of a whole run.
  public init(_ totals: Totals) {
    switch totals.percent {
    case let percent? where totals.active == 0 && totals.queued > 0: self = .paused(percent)
    case let percent?: self = totals.failed > 0 ? .error(percent) : .normal(percent)
    case nil: self = .indeterminate
    }
  }

  var sequence: String {
    switch self {
    case .normal(let percent): Self.sequence(1, percent)
    case .error(let percent): Self.sequence(2, percent)
    case .indeterminate: "\u{1B}]9;4;3\u{1B}\\"
    case .paused(let percent): Self.sequence(4, percent)
    }
  }

  private static func sequence(_ state: Int, _ percent: Int) -> String {
    "\u{1B}]9;4;\(state);\(min(100, max(0, percent)))\u{1B}\\"
  }
}
