// What is wrong with a document from outside: the one error of this module.

public import DrayCore

/// A document that cannot be read: the expected kind, what is wrong with it, and where.
public struct DocumentError: Error, Sendable, Equatable {
  /// The expected kind of document, with its article: `a feed`, `a Metalink file`.
  public var kind: String
  /// What is wrong with it: a printable clause without a full stop.
  public var reason: String
  /// The line, from 1 on, if known.
  public var line: Int?

  /// Makes an error.
  public init(_ kind: String, _ reason: String, line: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.line = line
  }

  /// This error as the failure of a command or a job.
  /// - Parameters:
  ///   - subject: the URL (secrets removed) or the path of the document.
  ///   - failureKind: `usage` for input of the user, `protocol` for what a server sent.
  public func failure(_ subject: String, _ failureKind: Failure.Kind = .usage) -> Failure {
    let place = line.map { "\(subject):\($0)" } ?? subject
    return Failure(failureKind, place, "this is not \(kind): \(TextSafety.escaped(reason))")
  }
}
