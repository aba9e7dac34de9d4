// Decides whether an upload may continue if its digests could not be computed in order. Its bytes can be read only once
// they are an object, so the proof comes after the object has its name.

/// The rule for objects that are proved after they are made.
public enum UploadProof {
  /// The next step.
  public enum Step: Sendable, Equatable {
    /// Continue, with any proof after the end.
    case goOn
    /// Continue, but replace nothing: the key is free, and must be free at the end.
    case goOnIfFree
    /// Upload the file again in order, so that the proof comes first.
    case startOver
  }

  /// An object without proof never replaces another one (P1).
  /// - Parameters:
  ///   - isLate: Whether a digest must be compared, and only the finished object can be read for the comparison.
  ///   - mayReplace: Whether the job may replace an object.
  ///   - isTaken: Whether the key has another object.
  public static func step(isLate: Bool, mayReplace: Bool, isTaken: Bool) -> Step {
    guard isLate, mayReplace else { return .goOn }
    return isTaken ? .startOver : .goOnIfFree
  }

  /// Whether the proof of an object may be outstanding after a crash. A file of one part is hashed before the upload.
  /// - Parameter hasDigest: Whether a digest must be compared.
  public static func mayBeOutstanding(hasDigest: Bool, size: Int64) -> Bool { hasDigest && size > UploadPlan.least }
}
