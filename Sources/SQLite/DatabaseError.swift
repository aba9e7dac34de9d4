// What SQLite reports when it fails.

internal import CSQLite

/// A primary result code of SQLite (sqlite.org/rescode.html).
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let permission = ResultCode(rawValue: SQLITE_PERM)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let `protocol` = ResultCode(rawValue: SQLITE_PROTOCOL)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  package static let authorization = ResultCode(rawValue: SQLITE_AUTH)
  package static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
}

/// A failure that SQLite reported.
package struct DatabaseError: Error, Equatable, CustomStringConvertible {
  /// The extended result code.
  package let extendedCode: Int32
  /// SQLite's own words.
  package let message: String
  /// The statement, if it was one that failed.
  package let sql: String?

  /// The primary result code.
  package var resultCode: ResultCode { ResultCode(rawValue: extendedCode & 0xFF) }

  package var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
  }

  /// A value that is not what it should be.
  init(mismatch message: String) { self.init(SQLITE_MISMATCH, message) }

  init(_ code: Int32, _ message: String, sql: String? = nil) {
    (extendedCode, self.message, self.sql) = (code, message, sql)
  }

  /// What a connection reports of its last call.
  init(_ code: Int32, of connection: OpaquePointer?, sql: String? = nil) {
    // A connection that was not opened for lack of memory has no words.
    let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
    // The words are of the last call on the connection: another code has words of its own.
    if extended & 0xFF == code & 0xFF {
      self.init(extended, text.map { String(cString: $0) } ?? "", sql: sql)
    } else {
      self.init(code, sqlite3_errstr(code).map { String(cString: $0) } ?? "", sql: sql)
    }
  }
}
