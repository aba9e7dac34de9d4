// Statements of both databases, written together with the values of their parameters.

import DrayCore
package import Postgres
import SQLite

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
///
/// It is written once for both databases. Where they differ it has both parts: `\(sqlite: "…", postgres: "…")`. A list
/// of values is one parameter: `id \(in: ids)` finds members, `\(each: names, "wanted")` is a table whose column is
/// `value`.
struct SQL: ExpressibleByStringInterpolation, Sendable {
  private enum Part: Sendable {
    case text(String)
    case value(PostgresValue, type: String)
    /// The parts for SQLite and for PostgreSQL.
    case choice(SQL, SQL)
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

    /// A condition on the expression before it: whether it is among `values`.
    mutating func appendInterpolation<Element: SQLValue>(in values: [Element]) {
      appendInterpolation(sqlite: "IN (SELECT value FROM json_each(\(values)))", postgres: "= ANY(\(values))")
    }

    /// A condition on the expression before it: whether it is one of `states`. SQLite has them in the text, so that
    /// partial indexes apply.
    mutating func appendInterpolation(in states: Set<JobState>) {
      let texts = states.map(\.rawValue).sorted()
      appendInterpolation(
        sqlite: "IN (\(raw: texts.map { "'\($0)'" }.joined(separator: ", ")))", postgres: "= ANY(\(texts))")
    }

    /// A table of values, whose column has the name `value`.
    mutating func appendInterpolation<Element: SQLValue>(each values: [Element], _ name: String) {
      appendInterpolation(
        sqlite: "json_each(\(values)) AS \(raw: name)", postgres: "unnest(\(values)) AS \(raw: name) (value)")
    }

    mutating func appendInterpolation(sqlite: SQL = "", postgres: SQL = "") {
      sql.parts.append(.choice(sqlite, postgres))
    }

    mutating func appendInterpolation(_ part: SQL) { sql.parts += part.parts }
    mutating func appendInterpolation(raw text: String) { sql.parts.append(.text(text)) }
  }

  /// The text with its parameters, for SQLite. The same parts always have the same text, which is compiled once.
  var sqlite: (text: String, arguments: StatementArguments) {
    var (text, arguments): (String, [DatabaseValue]) = ("", [])
    forEach(isSQLite: true) { value, type in
      arguments.append(DatabaseValue(value, type: type))
      text += "?"
    } text: {
      text += $0
    }
    return (text, StatementArguments(values: arguments))
  }

  /// The text with its parameters, for the server. The same parts always have the same text, which is prepared once.
  var statement: PostgresStatement {
    var (text, arguments): (String, [PostgresValue]) = ("", [])
    forEach(isSQLite: false) { value, type in
      arguments.append(value)
      text += "$\(arguments.count)::\(type)"
    } text: {
      text += $0
    }
    return PostgresStatement(text, PostgresArguments(arguments))
  }

  private func forEach(isSQLite: Bool, value: (PostgresValue, String) -> Void, text: (String) -> Void) {
    for part in parts {
      switch part {
      case .text(let piece): text(piece)
      case .value(let one, let type): value(one, type)
      case .choice(let sqlite, let postgres):
        (isSQLite ? sqlite : postgres).forEach(isSQLite: isSQLite, value: value, text: text)
      }
    }
  }
}

extension DatabaseValue {
  /// Converts the value of a parameter. A list becomes the JSON of an array, a UUID its text.
  fileprivate init(_ value: PostgresValue, type: String) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = UUID(type: type, bytes).map { .text($0.text) } ?? .blob(bytes)
    case .time(let microseconds): self = .real(Double(microseconds) / 1e6)
    case .array(let elements): self = .text(DatabaseValue.list(elements))
    }
  }

  private static func list(_ elements: [PostgresValue]) -> String {
    let texts = elements.compactMap { element -> String? in
      switch element {
      case .text(let text): text
      case .bytes(let bytes): UUID(type: UUID.sqlType, bytes)?.text
      default: nil
      }
    }
    if !texts.isEmpty { return RecordText.list(texts) }
    let numbers = elements.compactMap { if case .integer(let number) = $0 { String(number) } else { nil } }
    return "[\(numbers.joined(separator: ","))]"
  }
}

extension UUID {
  /// Returns the UUID with these bytes; `nil` if the type of the parameter is another one.
  fileprivate init?(type: String, _ bytes: [UInt8]) {
    guard type == UUID.sqlType, let id = UUID.fromPostgresValue(.bytes(bytes)) else { return nil }
    self = id
  }
}

extension SQL {
  /// The table of the columns that change while a job waits and runs. SQLite has one table for all columns of a job.
  static let hot: SQL = "\(sqlite: "jobs AS hot", postgres: "hot")"
  /// A job's table of facts and results, joined with ``hot``.
  static let jobs: SQL = "\(sqlite: "jobs AS hot", postgres: "jobs JOIN hot ON hot.id = jobs.id")"
  /// All columns of a job. PostgreSQL has a view of its three tables.
  static let allJobs: SQL = "\(sqlite: "jobs", postgres: "all_jobs")"
  /// Compares values that may be NULL.
  static let isSame: SQL = "\(sqlite: "IS", postgres: "IS NOT DISTINCT FROM")"
  /// Compares values that may be NULL.
  static let isNot: SQL = "\(sqlite: "IS NOT", postgres: "IS DISTINCT FROM")"

  /// Whether a job's request may be repeated automatically (``DrayCore/TransferRequest/isSafe``).
  static let isSafe: SQL = """
    \(sqlite: "(json_extract(request, '$.method') IN ('GET', 'HEAD') AND body IS NULL)", postgres: "is_safe")
    """

  /// The text of an option in the JSON of a job's options; NULL if it is missing.
  static func option(_ name: String) -> SQL {
    "\(sqlite: "json_extract(options, '$.\(raw: name)')", postgres: "(options ->> '\(raw: name)')")"
  }

  /// Locks the selected rows until the end of the transaction. SQLite has one writer at a time.
  static let forUpdate: SQL = "\(postgres: " FOR UPDATE")"
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
