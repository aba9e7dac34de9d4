// Progress outside the text: in the tab, the title or the taskbar (OSC 9;4, after ConEmu).

/// The state of the terminal's own progress indicator.
public enum TaskbarProgress: Sendable, Hashable {
  /// A percentage from 0 to 100.
  case normal(Int)
  /// In progress for an unknown time.
  case indeterminate
  /// A failure at this percentage.
  case error(Int)
  /// Waiting at this percentage.
  case paused(Int)

  /// The sequence that removes the indicator.
  static let removal = "\u{1B}]9;4;0\u{1B}\\"

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
