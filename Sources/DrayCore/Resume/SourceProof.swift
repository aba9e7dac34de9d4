// When bytes from another server than the one whose version is fetched count: a pure decision (P16).

/// What makes the bytes of one of a file's servers count.
public enum SourceProof: Sendable, Equatable {
  /// It is the server whose version is fetched.
  case own
  /// A digest of the whole proves the result.
  case digest
  /// Its own strong `ETag` is on each of its answers, and samples proved that version.
  case validator
  /// Nothing of its own: its bytes are compared before they count.
  case comparison

  /// What proves another server's bytes. A date is not proof: copies of two versions may well have the same one.
  /// - Parameter validators: what its answers carry.
  public static func ofOther(_ validators: Validators, digestIsKnown: Bool) -> SourceProof {
    if digestIsKnown { return .digest }
    return validators.strongETag != nil ? .validator : .comparison
  }
}
