// The user's choice for resuming if nothing identifies the version of the file.

/// A value of this choice.
public enum ResumeMode: String, Sendable, Codable, CaseIterable {
  /// Start over, unless a known digest will verify the result.
  case safe
  /// Request the rest and compare an overlap.
  case always
  /// Start over in any case.
  case never
}
