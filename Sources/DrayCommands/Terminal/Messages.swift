// Messages of dray: lines on standard error, each with the program's name.

internal import DrayKit
internal import Posix

enum Messages {
  /// Returns an escaped line (P8), prefixed with `dray: `.
  static func line(_ text: String) -> String { "dray: " + TextSafety.escaped(text) }

  /// Prints a line on standard error, and ignores errors there.
  static func print(_ text: String) { try? System.write((line(text) + "\n").utf8, to: 2) }

  /// Prints a failure.
  static func print(_ failure: Failure) { print(failure.message) }
}
