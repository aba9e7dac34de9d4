internal import DrayEngine
internal import DrayStore

/// The result of publishing one file.
struct Published: Sendable {
  var item: PublishItem
  /// The name of the target, which is now fixed.
  var name: String
  /// A note for people.
  var note: String?
  /// The digest of the file's bytes, if known.
  var digest: SourcedDigest?
  var result: PublishResult

  /// The digest that was compared with the file's bytes, if any.
  var proof: SourcedDigest? { digest.flatMap { $0.source == .computed ? nil : $0 } }
}
