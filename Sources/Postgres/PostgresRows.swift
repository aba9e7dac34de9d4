// The result of a statement.

/// The rows of a statement. They belong to the thread of their connection; values read from them do not.
package final class PostgresRows: RandomAccessCollection {
  let library: LibPQ
  let result: OpaquePointer
  package let count: Int
  package let columnCount: Int
  private var types: [PostgresType] = []
  private var places: [String: Int] = [:]

  init(_ result: OpaquePointer, _ library: LibPQ) {
    (self.result, self.library) = (result, library)
    count = Int(library.ntuples(result))
    columnCount = Int(library.nfields(result))
    types = (0..<CInt(columnCount)).map { PostgresType(rawValue: library.ftype(result, $0)) }
  }

  deinit { library.clear(result) }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }
  package subscript(position: Int) -> PostgresRow { PostgresRow(rows: self, index: position) }

  /// The number of changed, or else of returned rows.
  package var changedCount: Int { library.cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }
  /// The statement's tag: `UPDATE 3`, `COMMIT`.
  package var tag: String { library.cmdStatus(result).map { String(cString: $0) } ?? "" }

  var status: CInt { library.resultStatus(result) }

  func place(_ name: String) -> Int? {
    if places.isEmpty {
      for index in (0..<columnCount).reversed() { places[self.name(index)] = index }
    }
    return places[name]
  }

  func name(_ column: Int) -> String { library.fname(result, CInt(column)).map { String(cString: $0) } ?? "" }

  func value(_ row: Int, _ column: Int) throws(PostgresError) -> PostgresValue {
    let (row, place) = (CInt(row), CInt(column))
    guard library.getisnull(result, row, place) == 0, let bytes = library.getvalue(result, row, place) else {
      return .null
    }
    let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(library.getlength(result, row, place)))
    guard library.fformat(result, place) == 1 else { return .text(String(decoding: buffer, as: UTF8.self)) }
    do {
      return try PostgresDecoding.decode(buffer, types[column])
    } catch {
      throw .mismatch("column \(name(column)): \(error.message)")
    }
  }

  func error(statement: Int?) -> PostgresError {
    func field(_ code: CInt) -> String? { library.resultErrorField(result, code).map { String(cString: $0) } }
    let text = field(PQ.fieldMessage) ?? library.resultErrorMessage(result).map { String(cString: $0) } ?? ""
    guard let state = field(PQ.fieldState) else { return PostgresError(.connectionLost, text, statement: statement) }
    return PostgresError(
      state: state, text, detail: field(PQ.fieldDetail), constraint: field(PQ.fieldConstraint), statement: statement)
  }
}
