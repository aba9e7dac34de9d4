// What dray says beside its results: lines on standard error, each with the program's name.

internal import DrayKit
internal import Posix

enum Messages {
  /// One line, escaped (P8), `dray: ` before it.
  static func line(_ text: String) -> String { "dray: " + TextSafety.escaped(text) }

  /// Prints one line on standard error. An error there is ignored.
  static func print(_ text: String) { try? System.write((line(text) + "\n").utf8, to: 2) }

  /// Prints what went wrong.
  static func print(_ failure: Failure) { print(failure.message) }
}
