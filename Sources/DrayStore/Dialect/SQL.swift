// Statements for both databases, written together with the values of their parameters.

internal import DrayCore
package import Postgres
internal import SQLite
internal import Synchronization

package import struct FoundationEssentials.UUID

/// A type of values in a statement, together with the type's name in SQL. This name follows each parameter, because the
/// server cannot infer the type in `$1 IS NULL`.
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

/// A statement, or a part of one, written once for both databases. Interpolated values become parameters; interpolated
/// statements and `raw:` become text.
///
/// Where the databases differ, the statement has a part for each: `\(sqlite: "…", postgres: "…")`. A list of values is
/// one parameter: `id \(in: ids)` is true for members, and `\(each: names, "wanted")` is a table with the column
/// `value`.
struct SQL: ExpressibleByStringInterpolation, Sendable {
  private struct Value: Sendable {
    var value = PostgresValue.null
    /// Set instead of a value, because the databases store UUIDs in different types.
    var uuid: UUID?
    /// Whether the parameter occurs in SQLite's text, and whether it occurs in PostgreSQL's.
    var isInSQLite = true
    var isInPostgres = true
  }

  /// Control characters that mark places in ``text``. They are separate constants, because constants in one pattern are
  /// initialized at run time.
  private enum Mark {
    /// Precedes the type of a parameter.
    static let parameter = "\u{1}"
    /// Follows the type of a parameter.
    static let typed = "\u{5}"
    /// Mark where the dialects differ: the beginning, the border between SQLite's part and PostgreSQL's, and the end.
    static let begin = "\u{2}"
    static let border = "\u{3}"
    static let end = "\u{4}"
  }

  /// PostgreSQL's texts of the statements used so far, keyed by ``text``.
  private static let known = Mutex<[String: String]>([:])

  /// The text in both dialects; equal parts give equal texts.
  private var text: String
  /// The parameters in the order of the text, including parameters of only one dialect.
  private var values: [Value] = []

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  /// Creates a part without parameters.
  init(raw text: String) { self.text = text }

  fileprivate mutating func append(_ part: SQL) {
    text += part.text
    if !part.values.isEmpty { values += part.values }
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = SQL(raw: "")

    init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + interpolationCount * 16)
      sql.values.reserveCapacity(interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { sql.text += literal }

    private mutating func append(_ value: Value, _ type: String) {
      sql.text += Mark.parameter
      sql.text += type
      sql.text += Mark.typed
      sql.values.append(value)
    }

    private mutating func append(_ value: PostgresValue, _ type: String) { append(Value(value: value), type) }

    mutating func appendInterpolation(_ value: UUID) { append(Value(uuid: value), UUID.sqlType) }
    mutating func appendInterpolation(_ value: UUID?) { append(Value(uuid: value), UUID.sqlType) }

    mutating func appendInterpolation<Element: SQLValue>(_ values: [Element]) {
      let type = [Element].sqlType
      append(type == "bytea" ? values.postgresValue : .array(values.map(\.postgresValue)), type)
    }

    mutating func appendInterpolation<Value: SQLValue>(_ value: Value) { append(value.postgresValue, Value.sqlType) }

    mutating func appendInterpolation<Value: SQLValue>(_ value: Value?) {
      append(value?.postgresValue ?? .null, Value.sqlType)
    }

    mutating func appendInterpolation<Element: SQLValue>(_ values: [Element?]) {
      append(.array(values.map { $0?.postgresValue ?? .null }), "\(Element.sqlType)[]")
    }

    /// Appends a condition on the expression before it: the expression's value is among `values`.
    mutating func appendInterpolation<Element: SQLValue>(in values: [Element]) {
      appendInterpolation(sqlite: "IN (SELECT value FROM json_each(\(values)))", postgres: "= ANY(\(values))")
    }

    /// Appends a condition on the expression before it: the expression's value is among `states`. For SQLite, the
    /// states are part of the text, so that partial indexes apply.
    mutating func appendInterpolation(in states: Set<JobState>) {
      let texts = states.map(\.rawValue).sorted()
      appendInterpolation(
        sqlite: "IN (\(raw: texts.map { "'\($0)'" }.joined(separator: ", ")))", postgres: "= ANY(\(texts))")
    }

    /// Appends a table of values, with a column named `value`.
    mutating func appendInterpolation<Element: SQLValue>(each values: [Element], _ name: String) {
      appendInterpolation(
        sqlite: "json_each(\(values)) AS \(raw: name)", postgres: "unnest(\(values)) AS \(raw: name) (value)")
    }

    mutating func appendInterpolation(sqlite: SQL = "", postgres: SQL = "") {
      sql.text += Mark.begin
      let first = sql.values.count
      sql.append(sqlite)
      let second = sql.values.count
      sql.text += Mark.border
      sql.append(postgres)
      sql.text += Mark.end
      for place in first..<second { sql.values[place].isInPostgres = false }
      for place in second..<sql.values.count { sql.values[place].isInSQLite = false }
    }

    mutating func appendInterpolation(_ part: SQL) { sql.append(part) }
    mutating func appendInterpolation(raw text: String) { sql.text += text }
  }

  /// Returns the compiled statement and its parameters, for SQLite. Each text is assembled and compiled only once.
  func sqlite(_ db: Database) throws(DatabaseError) -> (statement: Statement, arguments: StatementArguments) {
    var arguments: [DatabaseValue] = []
    arguments.reserveCapacity(values.count)
    for one in values where one.isInSQLite {
      arguments.append(one.uuid?.databaseValue ?? DatabaseValue(one.value))
    }
    return (try db.cachedStatement(named: text) { sqlite }, StatementArguments(values: arguments))
  }

  /// Whether the statement is empty for SQLite.
  var isPostgresOnly: Bool { text.hasPrefix(Mark.begin + Mark.border) && sqlite.isEmpty }

  var sqlite: String { text(isSQLite: true) }

  /// The text and its parameters, for PostgreSQL. Each text is assembled and prepared only once.
  var statement: PostgresStatement {
    var arguments: [PostgresValue] = []
    arguments.reserveCapacity(values.count)
    for one in values where one.isInPostgres { arguments.append(one.uuid?.postgresValue ?? one.value) }
    let sql = SQL.known.withLock { known in
      if let sql = known[text] { return sql }
      if known.count == 4096 { known = [:] }
      let sql = text(isSQLite: false)
      known[text] = sql
      return sql
    }
    return PostgresStatement(sql, PostgresArguments(arguments))
  }

  /// This part with its texts already assembled; it must have no parameters.
  var fixed: SQL { "\(sqlite: SQL(raw: sqlite), postgres: SQL(raw: statement.sql))" }

  private func text(isSQLite: Bool) -> String {
    var (bytes, parameters, depth): ([UInt8], Int, Int) = ([], 0, 0)
    bytes.reserveCapacity(text.utf8.count)
    // The depth of a part for the other dialect that is being skipped, and whether the text is the type of a parameter.
    var (leftOut, isType): (Int?, Bool) = (nil, false)
    for byte in text.utf8 {
      switch byte {
      case 1:
        isType = true
        guard leftOut == nil else { continue }
        parameters += 1
        bytes += isSQLite ? Array("?".utf8) : Array("$\(parameters)::".utf8)
      case 5: isType = false
      case 2:
        depth += 1
        if leftOut == nil, !isSQLite { leftOut = depth }
      case 3:
        if leftOut == depth { leftOut = nil } else if leftOut == nil { leftOut = depth }
      case 4:
        if leftOut == depth { leftOut = nil }
        depth -= 1
      default: if leftOut == nil, !(isSQLite && isType) { bytes.append(byte) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DatabaseValue {
  /// Converts the value of a parameter; a list becomes a JSON array.
  fileprivate init(_ value: PostgresValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    case .text(let text): self = .text(text)
    case .bytes(let bytes): self = .blob(bytes)
    case .time(let microseconds): self = .real(Double(microseconds) / 1e6)
    case .array(let elements): self = .text(DatabaseValue.list(elements))
    }
  }

  private static func list(_ elements: [PostgresValue]) -> String {
    let texts = elements.compactMap { element -> String? in
      if case .text(let text) = element { text } else { UUID.fromPostgresValue(element)?.text }
    }
    if !texts.isEmpty { return RecordText.list(texts) }
    let numbers = elements.compactMap { if case .integer(let number) = $0 { String(number) } else { nil } }
    return "[\(numbers.joined(separator: ","))]"
  }
}

extension SQL {
  /// The table with the columns that change while a job waits and runs. SQLite has one table for all columns of a job.
  static let hot: SQL = "\(sqlite: "jobs AS hot", postgres: "hot")"
  /// The table with a job's facts and results, joined with ``hot``.
  static let jobs: SQL = "\(sqlite: "jobs AS hot", postgres: "jobs JOIN hot ON hot.id = jobs.id")"
  /// All columns of a job. In PostgreSQL, this is a view of three tables.
  static let allJobs: SQL = "\(sqlite: "jobs AS all_jobs", postgres: "all_jobs")"
  /// Compares values for equality, with NULL as an ordinary value.
  static let isSame: SQL = "\(sqlite: "IS", postgres: "IS NOT DISTINCT FROM")"
  /// Compares values for inequality, with NULL as an ordinary value.
  static let isNot: SQL = "\(sqlite: "IS NOT", postgres: "IS DISTINCT FROM")"

  /// A condition that a job's request may be repeated automatically (``DrayCore/TransferRequest/isSafe``).
  static let isSafe: SQL = """
    \(sqlite: "(json_extract(request, '$.method') IN ('GET', 'HEAD') AND body IS NULL)", postgres: "is_safe")
    """

  /// The text of an option in the JSON of a job's options; NULL if the option is missing.
  static func option(_ name: String) -> SQL {
    "\(sqlite: "json_extract(options, '$.\(raw: name)')", postgres: "(options ->> '\(raw: name)')")"
  }

  /// The time of the database in seconds since 1970.
  static let clock: SQL = """
    \(sqlite: "((julianday('now') - 2440587.5) * 86400)", postgres: "extract(epoch FROM clock_timestamp())::float8")
    """

  /// Locks the selected rows until the end of the transaction. SQLite needs no such lock, because only one transaction
  /// at a time writes.
  static let forUpdate: SQL = "\(postgres: " FOR UPDATE")"
}

extension Sequence<SQL> {
  func joined(by separator: String) -> SQL {
    var all = SQL(raw: "")
    for (index, part) in enumerated() {
      if index > 0 { all.append(SQL(raw: separator)) }
      all.append(part)
    }
    return all
  }
}

extension Set<JobState> {
  var texts: [String] { map(\.rawValue).sorted() }
}
