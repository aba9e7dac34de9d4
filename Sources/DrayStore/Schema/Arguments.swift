// The values of a statement, each written where its column is.

import SQLite

/// Collects the arguments of a statement while its text is put together.
struct Arguments {
  private var values: [(any DatabaseValueConvertible)?] = []

  /// All of them, in the order of the text.
  var all: StatementArguments { StatementArguments(values) }

  /// Adds a value, and gives the `?` that stands for it.
  mutating func bind(_ value: (any DatabaseValueConvertible)?) -> String {
    values.append(value)
    return "?"
  }
}
