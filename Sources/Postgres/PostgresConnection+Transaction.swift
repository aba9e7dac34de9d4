// Transactions.

package enum PostgresIsolation: String, Sendable {
  case readCommitted = "READ COMMITTED"
  case repeatableRead = "REPEATABLE READ"
  case serializable = "SERIALIZABLE"
}

extension PostgresConnection {
  /// Runs `body` in a transaction, which is rolled back if it throws.
  /// - Parameters:
  ///   - isReadOnly: Whether writes are refused.
  ///   - tries: The maximum number of runs of `body`. It runs again if the server rolls the transaction back because of
  ///     other transactions (`repeatable`).
  /// - Throws: The error of `body`. If the connection is lost while committing, it is unknown whether the transaction
  ///   took effect.
  @discardableResult
  package func transaction<Result>(
    _ isolation: PostgresIsolation = .readCommitted, isReadOnly: Bool = false, tries: Int = 1,
    _ body: () throws -> Result
  ) throws -> Result {
    var left = tries
    while true {
      left -= 1
      try script("BEGIN ISOLATION LEVEL \(isolation.rawValue)\(isReadOnly ? " READ ONLY" : "")")
      do {
        let result = try body()
        // The server rolls back at `COMMIT` if a statement failed and `body` caught its error.
        guard try script("COMMIT") == "COMMIT" else {
          throw PostgresError(state: "25P02", "a statement of the transaction had failed")
        }
        return result
      } catch {
        // Report the first error only.
        if isOpen && isInTransaction { _ = try? script("ROLLBACK") }
        guard left > 0, isOpen, let error = error as? PostgresError, error.kind == .repeatable else { throw error }
      }
    }
  }
}
