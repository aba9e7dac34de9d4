// Running statements.

extension PostgresConnection {
  /// The maximum number of prepared statements. A program with more of them builds their texts at run time.
  private static let mostPrepared = 400

  /// Runs a statement and returns its rows. It is prepared at its first use, which takes an additional round trip.
  /// - Parameter seconds: The longest wait for the answer; `nil` for the configured one.
  package func rows(
    _ sql: String, _ arguments: PostgresArguments = [], within seconds: Double? = nil
  ) throws(PostgresError) -> PostgresRows {
    let deadline = deadline(seconds)
    let statement = try prepared(sql, until: deadline)
    let arguments = try EncodedArguments(arguments, as: statement.parameters)
    let handle = try open()
    guard send(statement, arguments, handle) else { throw refused() }
    return try onlyResult(of: sql, until: deadline)
  }

  /// Runs a statement and returns its first row; `nil` if there is none.
  package func row(
    _ sql: String, _ arguments: PostgresArguments = [], within seconds: Double? = nil
  ) throws(PostgresError) -> PostgresRow? {
    try rows(sql, arguments, within: seconds).first
  }

  /// Runs a statement and returns the value in the first column of its first row; `nil` if there is no row or it is NULL.
  package func value<Value: PostgresConvertible>(
    _ sql: String, _ arguments: PostgresArguments = [], within seconds: Double? = nil
  ) throws(PostgresError) -> Value? {
    guard let row = try row(sql, arguments, within: seconds) else { return nil }
    return try row[0] as Value?
  }

  @discardableResult
  package func execute(
    _ sql: String, _ arguments: PostgresArguments = [], within seconds: Double? = nil
  ) throws(PostgresError) -> Int {
    try rows(sql, arguments, within: seconds).changedCount
  }

  /// Runs any number of statements without parameters in one round trip. Unless they contain `BEGIN`, they are one
  /// transaction. None is prepared, so that each may use tables that earlier ones created.
  /// - Returns: The tag of the last statement: `COMMIT`.
  @discardableResult
  package func script(_ sql: String, within seconds: Double? = nil) throws(PostgresError) -> String {
    let deadline = deadline(seconds)
    guard library.sendQuery(try open(), sql) == 1 else { throw refused() }
    return try lastResult(until: deadline)?.tag ?? ""
  }

  // MARK: Results

  /// Returns the result of a prepared statement. A statement that the server no longer knows, or whose columns have
  /// changed, is prepared again at its next use.
  private func onlyResult(of sql: String, until deadline: Double) throws(PostgresError) -> PostgresRows {
    do throws(PostgresError) {
      guard let rows = try lastResult(until: deadline) else { throw lost("the server did not answer a statement") }
      return rows
    } catch {
      if error.state == "26000" || error.state == "0A000" { prepared[sql] = nil }
      throw error
    }
  }

  /// Reads all results until libpq has no more, and returns the last one.
  /// - Throws: The first error.
  func lastResult(until deadline: Double) throws(PostgresError) -> PostgresRows? {
    try flush(until: deadline)
    var last: PostgresRows?
    var failure: PostgresError?
    while let result = try nextResult(until: deadline) {
      switch result.status {
      case PQ.commandOK, PQ.tuplesOK, PQ.emptyQuery: last = result
      case PQ.copyIn:
        failure = .mismatch("COPY FROM STDIN needs a sender")
        guard library.putCopyEnd(try open(), "no sender") >= 0 else { throw lost() }
        try flush(until: deadline)
      case PQ.copyOut, PQ.copyBoth: throw lost("COPY TO is not supported")
      default: if failure == nil { failure = result.error(statement: nil) }
      }
    }
    if let failure { throw settled(failure) }
    return last
  }

  /// Returns the error, after closing the connection if the error ended it. An error without SQLSTATE ends nothing if
  /// the connection still works.
  func settled(_ error: PostgresError) -> PostgresError {
    let isUp = handle.map { library.status($0) == PQ.connectionOK } ?? false
    if !isUp || (error.kind == .connectionLost && error.state != nil) {
      close()
      if error.kind == .connectionLost { return error }
      return PostgresError(.connectionLost, error.message, state: error.state, statement: error.statement)
    }
    guard error.state == nil, error.kind == .connectionLost else { return error }
    return PostgresError(.other, error.message, statement: error.statement)
  }

  // MARK: Preparing

  func send(_ statement: PreparedStatement, _ arguments: EncodedArguments, _ handle: OpaquePointer) -> Bool {
    let resultsAreBinary: CInt = 1
    return arguments.withPointers { count, values, lengths, formats in
      library.sendQueryPrepared(handle, statement.name, count, values, lengths, formats, resultsAreBinary) == 1
    }
  }

  private func prepared(_ sql: String, until deadline: Double) throws(PostgresError) -> PreparedStatement {
    if let known = prepared[sql] { return known }
    try prepare([sql], until: deadline)
    guard let statement = prepared[sql] else { throw lost("the server did not describe a statement") }
    return statement
  }

  /// Prepares statements, and gets the types of their parameters, in one round trip.
  func prepare(_ texts: [String], until deadline: Double) throws(PostgresError) {
    if prepared.count + texts.count > Self.mostPrepared {
      // Also possible in a transaction; its rollback does not undo this.
      guard library.sendQuery(try open(), "DEALLOCATE ALL") == 1 else { throw refused() }
      _ = try lastResult(until: deadline)
      prepared = [:]
    }
    let names = texts.map { _ in
      preparedCount += 1
      return "s\(preparedCount)"
    }
    let results = try pipelined(texts.count * 2, until: deadline) { handle in
      for (name, sql) in zip(names, texts) {
        guard library.sendPrepare(handle, name, sql, 0, nil) == 1, library.sendDescribePrepared(handle, name) == 1
        else { return false }
      }
      return true
    }
    for (index, sql) in texts.enumerated() {
      let description = results[index * 2 + 1].result
      let types = (0..<library.nparams(description)).map {
        PostgresType(rawValue: library.paramtype(description, $0))
      }
      prepared[sql] = PreparedStatement(name: names[index], parameters: types)
    }
  }
}
