// Prints messages: lines on standard error, each with the program's name.

internal import DrayKit
internal import TerminalUI

enum Messages {
  /// Returns a line that begins with `dray: ` and is escaped (P8).
  static func line(_ text: String) -> String { "dray: " + TextSafety.escaped(text) }

  /// Prints a line on standard error; errors of that are ignored.
  static func print(_ text: String) { write(lines(line(text)).map { $0 + "\n" }.joined()) }

  /// Returns the lines in which a terminal shows a text: broken between words.
  static func lines(_ text: String) -> [String] {
    guard TerminalDevice.isTTY(2) else { return [text] }
    return TextFit.broken(text, width: TerminalDevice.size(2).columns, indent: 2)
  }

  /// Writes a text to standard error. This delays a run by a moment at most.
  static func write(_ text: String) {
    SteadyOutput.standardError.write(WaitLine.below(text).utf8, patience: LiveOutput.isLive ? 100 : -1)
  }

  static func print(_ failure: Failure) { print(failure.message) }
}
