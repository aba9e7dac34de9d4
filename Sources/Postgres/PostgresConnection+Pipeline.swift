// Several statements in one round trip.

extension PostgresConnection {
  /// Runs statements in order in one round trip (two if some are new) and returns the rows of each. Outside a
  /// transaction they take effect together or not at all. All are prepared before the first one runs, so none can use a
  /// table that another one creates.
  /// - Throws: The first error, with the place of its statement. The statements after it are not run.
  package func pipeline(
    _ statements: [PostgresStatement], within seconds: Double? = nil
  ) throws(PostgresError) -> [PostgresRows] {
    if statements.isEmpty { return [] }
    let deadline = deadline(seconds)
    var missing: [String] = []
    for statement in statements where prepared[statement.sql] == nil && !missing.contains(statement.sql) {
      missing.append(statement.sql)
    }
    if !missing.isEmpty { try prepare(missing, until: deadline) }
    var calls: [(PreparedStatement, EncodedArguments)] = []
    for (index, statement) in statements.enumerated() {
      guard let known = prepared[statement.sql] else { throw lost("the server did not describe a statement") }
      do throws(PostgresError) {
        calls.append((known, try EncodedArguments(statement.arguments, as: known.parameters)))
      } catch {
        throw .mismatch("statement \(index): \(error.message)")
      }
    }
    do {
      return try pipelined(calls.count, until: deadline) { handle in
        for (statement, arguments) in calls where !send(statement, arguments, handle) { return false }
        return true
      }
    } catch {
      if error.state == "26000" || error.state == "0A000", let place = error.statement, place < statements.count {
        prepared[statements[place].sql] = nil
      }
      throw error
    }
  }

  /// Sends `count` commands in pipeline mode, and returns the result of each.
  func pipelined(
    _ count: Int, until deadline: Double, _ body: (OpaquePointer) -> Bool
  ) throws(PostgresError) -> [PostgresRows] {
    let handle = try open()
    guard library.enterPipelineMode(handle) == 1 else { throw refused() }
    guard body(handle), library.pipelineSync(handle) == 1 else { throw lost() }
    try flush(until: deadline)
    var results: [PostgresRows] = []
    var failure: PostgresError?
    for place in 0..<count {
      guard let result = try nextResult(until: deadline) else { throw broken(failure, "a statement has no result") }
      switch result.status {
      case PQ.commandOK, PQ.tuplesOK, PQ.emptyQuery: results.append(result)
      case PQ.pipelineAborted: break
      case PQ.copyIn, PQ.copyOut, PQ.copyBoth: throw lost("COPY is not possible in a pipeline")
      default: if failure == nil { failure = result.error(statement: place) }
      }
      // The end of this command's results.
      guard library.status(handle) == PQ.connectionOK, try nextResult(until: deadline) == nil else {
        throw broken(failure, "a statement has two results")
      }
    }
    var end = try nextResult(until: deadline)
    if let late = end, late.status == PQ.fatalError, library.status(handle) == PQ.connectionOK {
      // A transaction may fail at its end, after its last statement: because of a deferred constraint, or a full queue
      // of notifications.
      if failure == nil { failure = late.error(statement: count - 1) }
      guard try nextResult(until: deadline) == nil else { throw broken(failure, "a pipeline has no end") }
      end = try nextResult(until: deadline)
    }
    guard let end, end.status == PQ.pipelineSync else {
      throw broken(failure, "a pipeline has no end")
    }
    guard library.exitPipelineMode(handle) == 1 else { throw lost() }
    if let failure { throw settled(failure) }
    return results
  }

  /// Closes the connection, and returns `failure`, or an error with `message` if it is `nil`.
  private func broken(_ failure: PostgresError?, _ message: String) -> PostgresError {
    guard let failure else { return lost(message) }
    close()
    return PostgresError(.connectionLost, failure.message, state: failure.state, statement: failure.statement)
  }
}
