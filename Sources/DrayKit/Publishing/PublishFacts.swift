internal import DrayEngine
internal import DrayStore

struct PublishFacts: Sendable {
  /// Proven.
  var digest: SourcedDigest?
  /// Delivered the file; `nil` keeps the recorded answer.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}
