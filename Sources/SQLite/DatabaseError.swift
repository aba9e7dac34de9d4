// The errors of SQLite.

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

package struct DatabaseError: Error, Equatable, CustomStringConvertible {
  package let extendedCode: Int32
  package let message: String
  package let sql: String?

  package var resultCode: ResultCode { ResultCode(rawValue: extendedCode & 0xFF) }

  package var description: String {
    "SQLite error \(extendedCode): \(message)" + (sql.map { " - while executing `\($0)`" } ?? "")
  }

  package init(mismatch message: String) { self.init(SQLITE_MISMATCH, message) }

  init(_ code: Int32, _ message: String, sql: String? = nil) {
    (extendedCode, self.message, self.sql) = (code, message, sql)
  }

  init(_ code: Int32, of connection: OpaquePointer?, sql: String? = nil) {
    // A connection that could not be opened for lack of memory has no message.
    let text = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
    // The message is of the connection's last call. If that had another code, use the general message of this code.
    if extended & 0xFF == code & 0xFF {
      self.init(extended, text.map { String(cString: $0) } ?? "", sql: sql)
    } else {
      self.init(code, sqlite3_errstr(code).map { String(cString: $0) } ?? "", sql: sql)
    }
  }
}
