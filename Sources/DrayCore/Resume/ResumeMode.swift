/// What the user wants to happen if nothing identifies the version of a partial file.
public enum ResumeMode: String, Sendable, Codable, CaseIterable {
  /// Start over, unless a known digest will verify the result.
  case safe
  /// Request the rest, and compare an overlap.
  case always
  /// Always start over.
  case never
}
