// The errors of PostgreSQL and of libpq.

/// An error of the server, of libpq, or of a value with a wrong type. None contains a password.
package struct PostgresError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable, CaseIterable {
    /// The server cannot be reached, is starting or stopping, or did not answer in time. The connection is closed. A
    /// statement that was under way may have taken effect.
    case connectionLost
    /// A serialization failure or a deadlock. The transaction was rolled back and may be repeated.
    case repeatable
    /// The database accepts no writes now.
    case readOnly
    case full
    /// The server has no connection left for this user.
    case tooManyConnections
    /// The password, the user or a right is missing.
    case notAuthorised
    case undefined
    case unique
    /// The statement was cancelled, or ran into `statement_timeout` or `lock_timeout`.
    case cancelled
    /// libpq is not installed, or is too old.
    case noLibrary
    /// A value is not of the requested type, or a call is wrong.
    case mismatch
    case other
  }

  package let kind: Kind
  /// The SQLSTATE, five characters; `nil` for errors of libpq itself.
  package let state: String?
  /// One line of text.
  package let message: String
  /// The server's detail. It may contain values of a row, so it is not part of ``description``.
  package let detail: String?
  package let constraint: String?
  /// The failed statement's place in a pipeline.
  package let statement: Int?

  package var description: String { state.map { "\(message) (SQLSTATE \($0))" } ?? message }

  init(
    _ kind: Kind, _ message: String, state: String? = nil, detail: String? = nil, constraint: String? = nil,
    statement: Int? = nil
  ) {
    (self.kind, self.message, self.state) = (kind, PostgresText.line(message), state)
    (self.detail, self.constraint, self.statement) = (detail, constraint, statement)
  }

  init(state: String, _ message: String, detail: String? = nil, constraint: String? = nil, statement: Int? = nil) {
    self.init(
      Self.kind(ofState: state), message, state: state, detail: detail, constraint: constraint, statement: statement)
  }

  package static let standby = PostgresError(state: "25006", "it is a standby")

  static func mismatch(_ message: String) -> PostgresError { PostgresError(.mismatch, message) }

  /// Returns the kind of a SQLSTATE (appendix A of PostgreSQL's manual); of `nil`, the kind of libpq's own errors.
  package static func kind(ofState state: String?) -> Kind {
    guard let state else { return .connectionLost }
    switch state {
    case "40001", "40P01": return .repeatable
    case "25006": return .readOnly
    case "53100": return .full
    case "53300": return .tooManyConnections
    case "42501": return .notAuthorised
    case "42P01", "3F000": return .undefined
    case "23505": return .unique
    case "57014", "55P03": return .cancelled
    // The server ended the session: it waited for the next statement of a transaction.
    case "25P03": return .connectionLost
    default:
      if state.hasPrefix("08") || state.hasPrefix("57P") { return .connectionLost }
      return state.hasPrefix("28") ? .notAuthorised : .other
    }
  }
}
