// Decides whether an upload may continue although its digests could not be computed in the order of the bytes. In that
// case, the bytes can be read only once they are an object, so the digest is compared after the object has its name.

/// The rule for objects whose digest is compared after they were made.
package enum UploadProof {
  /// The next step.
  package enum Step: Sendable, Equatable {
    /// Continue. A comparison may follow after the end.
    case goOn
    /// Continue, but do not replace anything: the key is free, and must still be free at the end.
    case goOnIfFree
    /// Upload the file again in order, so that the digest is known before the end.
    case startOver
  }

  /// Returns the next step; an object without a proved digest never replaces another one (P1).
  /// - Parameters:
  ///   - isLate: Whether a digest must be compared that only the finished object can yield.
  ///   - mayReplace: Whether the job may replace an object.
  ///   - isTaken: Whether another object has the key.
  package static func step(isLate: Bool, mayReplace: Bool, isTaken: Bool) -> Step {
    guard isLate, mayReplace else { return .goOn }
    return isTaken ? .startOver : .goOnIfFree
  }

  /// Whether a crash may leave an object whose digest was not compared. A file of one part is hashed before its upload,
  /// so it cannot be left that way.
  /// - Parameter hasDigest: Whether a digest must be compared.
  package static func mayBeOutstanding(hasDigest: Bool, size: Int64) -> Bool { hasDigest && size > UploadPlan.least }
}
