// Statements of the store in PostgreSQL, written together with the values of their parameters.

import DrayCore
package import Postgres

package import struct FoundationEssentials.UUID

/// A type of values in a statement, with its name in SQL. The name is written behind each parameter: otherwise the
/// server could not tell the type in `$1 IS NULL`.
protocol SQLValue: PostgresConvertible {
  static var sqlType: String { get }
}

extension Int: SQLValue { static var sqlType: String { "int8" } }
extension Int32: SQLValue { static var sqlType: String { "int4" } }
extension Int64: SQLValue { static var sqlType: String { "int8" } }
extension Double: SQLValue { static var sqlType: String { "float8" } }
extension Bool: SQLValue { static var sqlType: String { "bool" } }
extension String: SQLValue { static var sqlType: String { "text" } }
extension UInt8: SQLValue { static var sqlType: String { "bytea" } }
extension Array: SQLValue where Element: SQLValue {
  static var sqlType: String { Element.self == UInt8.self ? "bytea" : "\(Element.sqlType)[]" }
}

extension UUID: PostgresConvertible, SQLValue {
  package var postgresValue: PostgresValue { .bytes(withUnsafeBytes(of: uuid) { Array($0) }) }

  package static func fromPostgresValue(_ value: PostgresValue) -> UUID? {
    guard case .bytes(let bytes) = value, bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private typealias uuid_t = (
    UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
  )

  static var sqlType: String { "uuid" }
}

/// A statement, or a part of one. Interpolated values become parameters; other statements and `raw:` become text.
struct SQL: ExpressibleByStringInterpolation, Sendable {
  private enum Part: Sendable {
    case text(String)
    case value(PostgresValue, type: String)
  }

  private var parts: [Part] = []

  init(stringLiteral text: String) { parts = [.text(text)] }
  init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.sql.parts }

  /// A part without parameters.
  init(raw text: String) { parts = [.text(text)] }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = SQL(raw: "")

    init(literalCapacity: Int, interpolationCount: Int) { sql.parts.reserveCapacity(interpolationCount * 2 + 1) }

    mutating func appendLiteral(_ literal: String) { sql.parts.append(.text(literal)) }

    mutating func appendInterpolation<Element: SQLValue>(_ values: [Element]) {
      let type = [Element].sqlType
      sql.parts.append(
        .value(type == "bytea" ? values.postgresValue : .array(values.map(\.postgresValue)), type: type))
    }

    mutating func appendInterpolation<Value: SQLValue>(_ value: Value) {
      sql.parts.append(.value(value.postgresValue, type: Value.sqlType))
    }

    mutating func appendInterpolation<Value: SQLValue>(_ value: Value?) {
      sql.parts.append(.value(value?.postgresValue ?? .null, type: Value.sqlType))
    }

    mutating func appendInterpolation<Element: SQLValue>(_ values: [Element?]) {
      sql.parts.append(.value(.array(values.map { $0?.postgresValue ?? .null }), type: "\(Element.sqlType)[]"))
    }

    mutating func appendInterpolation(_ part: SQL) { sql.parts += part.parts }
    mutating func appendInterpolation(raw text: String) { sql.parts.append(.text(text)) }
  }

  /// The text with its parameters, for the server. The same parts always have the same text, which is prepared once.
  var statement: PostgresStatement {
    var text = ""
    var arguments: [PostgresValue] = []
    for part in parts {
      switch part {
      case .text(let piece): text += piece
      case .value(let value, let type):
        arguments.append(value)
        text += "$\(arguments.count)::\(type)"
      }
    }
    return PostgresStatement(text, PostgresArguments(arguments))
  }
}

extension Sequence<SQL> {
  /// Joins parts.
  func joined(by separator: String) -> SQL {
    var all: SQL = ""
    for (index, part) in enumerated() { all = index == 0 ? part : "\(all)\(raw: separator)\(part)" }
    return all
  }
}

extension Set<JobState> {
  /// The states as a parameter.
  var texts: [String] { map(\.rawValue).sorted() }
}
