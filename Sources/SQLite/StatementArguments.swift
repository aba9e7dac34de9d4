// The values that are bound to a statement.

/// Values by their places, or by the names of parameters (`:name`).
package struct StatementArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable {
  var values: [DatabaseValue] = []
  var named: [(name: String, value: DatabaseValue)] = []

  /// By place.
  package init(_ values: [(any DatabaseValueConvertible)?]) { self.values = values.map { $0?.databaseValue ?? .null } }

  package init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }

  /// By name, without the colon.
  package init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    named = elements.map { ($0.0, $0.1?.databaseValue ?? .null) }
  }
}
