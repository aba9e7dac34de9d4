// Builds the arguments of a statement together with its text.

import SQLite

/// Collects the arguments of a statement while its text is built.
struct Arguments {
  private var values: [(any DatabaseValueConvertible)?] = []

  /// All arguments, in the order of the text.
  var all: StatementArguments { StatementArguments(values) }

  /// Adds a value and returns its `?`.
  mutating func bind(_ value: (any DatabaseValueConvertible)?) -> String {
    values.append(value)
    return "?"
  }
}
