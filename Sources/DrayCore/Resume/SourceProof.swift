// Decides when bytes from another server than the file's own count (P16).

/// What must prove the bytes from one of a file's servers before they count.
package enum SourceProof: Sendable, Equatable {
  /// Nothing is needed, because the version that is being fetched is this server's.
  case own
  /// A digest of the whole file proves the result later.
  case digest
  /// A strong `ETag` in each answer of the server, after samples proved the version with that tag.
  case validator
  /// A comparison of the bytes.
  case comparison

  /// Returns what must prove another server's bytes. A date proves nothing, because two versions may have the same date
  /// on two servers.
  /// - Parameter validators: The validators in that server's answers.
  package static func ofOther(_ validators: Validators, digestIsKnown: Bool) -> SourceProof {
    if digestIsKnown { return .digest }
    return validators.strongETag != nil ? .validator : .comparison
  }
}
