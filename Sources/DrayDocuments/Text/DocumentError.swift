// The error of this module: a document from outside that is invalid.

public import DrayCore

/// A document that cannot be read: the expected kind, the reason, and the place.
public struct DocumentError: Error, Sendable, Equatable {
  /// The expected kind of document, with its article: `a feed`, `a Metalink file`.
  public var kind: String
  /// The reason, as a printable clause without a full stop.
  public var reason: String
  /// The line number, from 1, if known.
  public var line: Int?

  /// Creates an error.
  public init(_ kind: String, _ reason: String, line: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.line = line
  }

  /// Returns this error as the failure of a command or a job.
  /// - Parameters:
  ///   - subject: The URL (without secrets) or the path of the document.
  ///   - failureKind: `usage` for the user's input, `protocol` for a server's.
  public func failure(_ subject: String, _ failureKind: Failure.Kind = .usage) -> Failure {
    let place = line.map { "\(subject):\($0)" } ?? subject
    return Failure(failureKind, place, "this is not \(kind): \(TextSafety.escaped(reason))")
  }
}

extension DocumentError: CustomStringConvertible {
  /// The reason, and the line if it is known.
  public var description: String { (line.map { "line \($0): " } ?? "") + TextSafety.escaped(reason) }
}
