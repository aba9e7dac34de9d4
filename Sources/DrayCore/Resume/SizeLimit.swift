// How large a file may be: a pure rule, asked before a byte is written and, where the length is unknown, as bytes come.

/// The largest file that its user wants.
public struct SizeLimit: Sendable, Equatable {
  /// Bytes that are allowed.
  public var most: Int64

  /// Makes a limit.
  public init(_ most: Int64) { self.most = most }

  /// Why a file of this length is not fetched; `nil` if it may be, or its length is unknown.
  /// - Parameter subject: the URL that answered, without secrets.
  public func refusal(ofLength total: Int64?, _ subject: String) -> Failure? {
    guard let total, total > most else { return nil }
    return failure(subject, "the server's file has \(total) bytes, more than the allowed \(most)")
  }

  /// Why no more is taken of a body of unknown length, of which so many bytes are here with those that just came.
  /// - Parameter subject: the URL that answered, without secrets.
  public func refusal(after count: Int64, _ subject: String) -> Failure? {
    guard count > most else { return nil }
    return failure(subject, "more than the allowed \(most) bytes came, and the server did not say how many there are")
  }

  /// It is the user's own rule about what comes to the disk, as a target that exists is: nothing is wrong with the file, and
  /// another try would end the same.
  private func failure(_ subject: String, _ reason: String) -> Failure {
    Failure(.file, subject, reason, advice: "nothing of it was kept; \(.maxSize) sets the limit")
  }
}
