// Decides when bytes from a server other than the file's own count (P16).

/// The proof that bytes from one of a file's servers need before they count.
public enum SourceProof: Sendable, Equatable {
  /// None: the version being fetched is this server's.
  case own
  /// A digest of the whole file proves the result.
  case digest
  /// The server sends a strong `ETag` with each answer, and samples proved the version with that tag.
  case validator
  /// The bytes are compared before they count.
  case comparison

  /// Returns the proof that another server's bytes need. A date is no proof, because copies of two versions may have
  /// the same date.
  /// - Parameter validators: The validators in that server's answers.
  public static func ofOther(_ validators: Validators, digestIsKnown: Bool) -> SourceProof {
    if digestIsKnown { return .digest }
    return validators.strongETag != nil ? .validator : .comparison
  }
}
