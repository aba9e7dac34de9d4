internal import DrayEngine
internal import DrayStore

/// The facts that are recorded about a complete file when it is published.
struct PublishFacts: Sendable {
  /// The proven digest.
  var digest: SourcedDigest?
  /// The answer that delivered the file; `nil` if the recorded answer stays.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}
