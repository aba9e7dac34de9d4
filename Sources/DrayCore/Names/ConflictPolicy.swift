// What to do when the target exists already.

/// What to do when the target exists already.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
  case fail, rename, overwrite, skip
}
