// What to do when the target already exists.

/// What to do when the target already exists.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
  case fail, rename, overwrite, skip
}
