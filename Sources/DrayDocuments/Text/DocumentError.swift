// The error of this module: a document from outside that is invalid.

package import DrayCore

/// A document that cannot be read: the expected kind, the reason, and the place.
package struct DocumentError: Error, Sendable, Equatable {
  /// With its article: `a feed`, `a Metalink file`.
  package var kind: String
  /// A printable clause without a full stop.
  package var reason: String
  /// The line number, from 1.
  package var line: Int?

  package init(_ kind: String, _ reason: String, line: Int? = nil) {
    self.kind = kind
    self.reason = reason
    self.line = line
  }

  /// The failure of a command or a job.
  /// - Parameters:
  ///   - subject: The URL (without secrets) or the path of the document.
  ///   - failureKind: `usage` for the user's input, `protocol` for a server's.
  package func failure(_ subject: String, _ failureKind: Failure.Kind = .usage) -> Failure {
    let place = line.map { "\(subject):\($0)" } ?? subject
    return Failure(failureKind, place, "this is not \(kind): \(TextSafety.escaped(reason))")
  }
}

extension DocumentError: CustomStringConvertible {
  package var description: String { (line.map { "line \($0): " } ?? "") + TextSafety.escaped(reason) }
}
