/// The action if the target already exists.
public enum ConflictPolicy: String, Sendable, Codable, CaseIterable {
  case fail, rename, overwrite, skip
}

extension ConflictPolicy {
  /// Whether the job is refused if a directory has the target's name and the user chose that name.
  public var stopsAtDirectory: Bool { self == .fail || self == .overwrite }
}
