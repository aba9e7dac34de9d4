// How a job resumes where nothing identifies the version of the file.

/// How a job asks for bytes beyond those it has when nothing identifies the version of the file.
public enum ResumeMode: String, Sendable, Codable, CaseIterable {
  /// Start over, unless a digest is known that will prove the result.
  case safe
  /// Ask for the rest and compare an overlap.
  case always
  /// Start over, whatever the server could do.
  case never
}
