// The values of a statement's parameters.

/// Values for `$1`, `$2` and so on, in this order.
package struct PostgresArguments: ExpressibleByArrayLiteral, Sendable {
  package var values: [PostgresValue]

  package init(_ values: [PostgresValue]) { self.values = values }

  package init(arrayLiteral elements: (any PostgresConvertible)?...) {
    values = elements.map { $0?.postgresValue ?? .null }
  }

  /// Returns the value's parameter: `$3`.
  package mutating func add(_ value: (any PostgresConvertible)?) -> String {
    values.append(value?.postgresValue ?? .null)
    return "$\(values.count)"
  }
}
