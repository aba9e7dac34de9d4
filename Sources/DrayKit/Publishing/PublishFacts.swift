internal import DrayEngine
internal import DrayStore

/// Facts about a complete file, which are recorded with its publish.
struct PublishFacts: Sendable {
  /// The proven digest.
  var digest: SourcedDigest?
  /// The answer that delivered the file; `nil` keeps the recorded answer.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}
