// How a job resumes if nothing identifies the version of the file.

/// How a job continues if nothing identifies the version of the file.
public enum ResumeMode: String, Sendable, Codable, CaseIterable {
  /// Start over, unless a known digest will verify the result.
  case safe
  /// Request the rest and compare an overlap.
  case always
  /// Start over in any case.
  case never
}
