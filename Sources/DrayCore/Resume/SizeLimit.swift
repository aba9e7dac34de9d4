/// The user's limit on the length of a file. It is checked before a byte is written; if the length is unknown, it is
/// checked while bytes arrive.
package struct SizeLimit: Sendable, Equatable {
  /// The number of bytes allowed.
  package var most: Int64

  /// Creates a limit.
  package init(_ most: Int64) { self.most = most }

  /// Returns why a file of this length is not fetched; `nil` if it may be, or if the length is unknown.
  /// - Parameter subject: The URL that answered, without secrets.
  package func refusal(ofLength total: Int64?, _ subject: String) -> Failure? {
    guard let total, total > most else { return nil }
    return failure(subject, "the server's file has \(total) bytes, more than the allowed \(most)")
  }

  /// Returns why a body of unknown length is cut off.
  /// - Parameters:
  ///   - count: The number of bytes received so far.
  ///   - subject: The URL that answered, without secrets.
  package func refusal(after count: Int64, _ subject: String) -> Failure? {
    guard count > most else { return nil }
    return failure(subject, "more than the allowed \(most) bytes came; the server had not announced the length")
  }

  /// As for a target that exists, the kind is ``ExitStatus/file``, because the user's rule is the reason. Nothing is
  /// wrong with the file, and another attempt would end in the same way.
  private func failure(_ subject: String, _ reason: String) -> Failure {
    Failure(.file, subject, reason, advice: "\(.maxSize) sets the limit")
  }
}
