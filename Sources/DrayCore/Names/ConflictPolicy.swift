// The policy for an existing target.

/// The action if the target already exists.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
  case fail, rename, overwrite, skip
}
