internal import DrayEngine
internal import DrayStore

/// What is recorded about a complete file with its publish.
struct PublishFacts: Sendable {
  /// The proven digest.
  var digest: SourcedDigest?
  /// The answer that delivered the file; `nil` if the recorded one stays.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}
