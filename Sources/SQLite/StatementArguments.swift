// The values bound to a statement: by position, or by the names of parameters (`:name`).

package struct StatementArguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable {
  var values: [DatabaseValue] = []
  var named: [(name: String, value: DatabaseValue)] = []

  /// Creates values by position that are in SQLite's types already.
  package init(values: [DatabaseValue]) { self.values = values }

  package init(_ values: [(any DatabaseValueConvertible)?]) { self.values = values.map { $0?.databaseValue ?? .null } }

  package init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }

  package init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    named = elements.map { ($0.0, $0.1?.databaseValue ?? .null) }
  }

  /// The name has no colon.
  package mutating func set(_ name: String, to value: (any DatabaseValueConvertible)?) {
    named.append((name, value?.databaseValue ?? .null))
  }
}
