// COPY FROM STDIN.

extension PostgresConnection {
  /// Runs `COPY … FROM STDIN`, whose data `body` writes.
  /// - Parameter seconds: The longest wait for the server to take a piece, and for its answer at the end.
  /// - Returns: The number of rows.
  /// - Throws: The error of `body`, after which the copy is undone, or the server's error, which comes at the end at
  ///   the latest.
  package func copy(
    _ sql: String, within seconds: Double? = nil, _ body: (PostgresCopy) throws -> Void
  ) throws -> Int {
    guard library.sendQuery(try open(), sql) == 1 else { throw refused() }
    try flush(until: deadline(seconds))
    guard let start = try nextResult(until: deadline(seconds)) else { throw lost("the server did not answer COPY") }
    guard start.status == PQ.copyIn else {
      _ = try lastResult(until: deadline(seconds))
      throw start.status == PQ.fatalError ? settled(start.error(statement: nil)) : .mismatch("no COPY FROM STDIN")
    }
    let copy = PostgresCopy(self, within: seconds)
    do {
      try body(copy)
      try copy.flush()
    } catch {
      if isOpen { _ = try? endCopy("the sender stopped", within: seconds) }
      throw error
    }
    return try endCopy(nil, within: seconds)
  }

  /// Ends a copy. With a reason, the server undoes it.
  @discardableResult
  private func endCopy(_ reason: String?, within seconds: Double?) throws(PostgresError) -> Int {
    let deadline = deadline(seconds)
    while true {
      switch library.putCopyEnd(try open(), reason) {
      case 1: return try lastResult(until: deadline)?.changedCount ?? 0
      case 0: try flush(until: deadline)
      default: throw lost()
      }
    }
  }

  func sendCopy(_ bytes: [UInt8], within seconds: Double?) throws(PostgresError) {
    let deadline = deadline(seconds)
    while true {
      let handle = try open()
      let sent = bytes.withUnsafeBytes {
        library.putCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count))
      }
      switch sent {
      case 1: return try flush(until: deadline)
      case 0: try flush(until: deadline)
      default: throw lost()
      }
    }
  }
}

/// Must not be used after the copy.
package final class PostgresCopy {
  private let connection: PostgresConnection
  private let seconds: Double?
  private var bytes: [UInt8] = []
  private static let size = 64 * 1024

  init(_ connection: PostgresConnection, within seconds: Double?) {
    (self.connection, self.seconds) = (connection, seconds)
  }

  /// Writes a row in text format, COPY's default. The server reads the values as the types of its columns.
  package func row(_ values: PostgresArguments) throws(PostgresError) {
    PostgresEncoding.appendRow(values.values, to: &bytes)
    if bytes.count >= Self.size { try flush() }
  }

  /// Writes bytes in the format that the statement names.
  package func write(_ data: [UInt8]) throws(PostgresError) {
    bytes += data
    if bytes.count >= Self.size { try flush() }
  }

  func flush() throws(PostgresError) {
    if bytes.isEmpty { return }
    try connection.sendCopy(bytes, within: seconds)
    bytes.removeAll(keepingCapacity: true)
  }
}
