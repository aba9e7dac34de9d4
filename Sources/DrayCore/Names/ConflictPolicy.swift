// The policy for an existing target.

/// The action if the target already exists.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
  case fail, rename, overwrite, skip
}

extension ConflictPolicy {
  /// Whether a job whose target is named by the user is refused if a directory has that name.
  public var stopsAtDirectory: Bool { self == .fail || self == .overwrite }
}
