// A complete file to publish, and what came of it.

internal import DrayEngine
internal import DrayStore

/// A complete file to publish.
final class PublishItem: Sendable {
  let box: JobBox
  let publication: Publication
  /// The name of the target.
  let fileName: String
  /// Whether the name is fixed. If not, the intent fixes it.
  let isNamed: Bool
  let facts: PublishFacts
  /// The checksums to record, if any.
  let sums: BlockSums?

  init(
    _ box: JobBox, _ publication: Publication, fileName: String, isNamed: Bool, facts: PublishFacts,
    sums: BlockSums? = nil
  ) {
    (self.box, self.publication, self.fileName, self.isNamed) = (box, publication, fileName, isNamed)
    (self.facts, self.sums) = (facts, sums)
  }
}

/// The facts to record when a file is published.
struct PublishFacts: Sendable {
  /// The proven digest.
  var digest: SourcedDigest?
  /// The answer that delivered the file; `nil` keeps the recorded one.
  var response: ResponseRecord?
  var note: String?
  var attempt: AttemptRecord?
}

/// The result for one file.
struct Published: Sendable {
  var item: PublishItem
  /// The name of the target, now fixed.
  var name: String
  /// A note for people.
  var note: String?
  /// The digest of its bytes, if one is known.
  var digest: SourcedDigest?
  var result: PublishResult
}

/// The outcome of a publish.
enum PublishResult: Sendable {
  case published(path: String)
  case skipped(path: String)
  /// The file that has the name has the same bytes. It stays.
  case equal
  case failed(Failure)
  /// The run ended before a free name was found. Nothing was published.
  case stopped
  /// A file of the same group has its name, which it replaces with the next group.
  case next
  /// Another unfinished job has its name, which it replaces later.
  case busy(Failure)
  /// A page came instead of the file. It was kept under another name.
  case refused(Failure)
  /// The file was renamed, but the rename may not be durable. Recovery finishes the publish.
  case unfinished(Failure)
}

extension PublishItem {
  /// Returns the record to store before the rename to `name`.
  /// - Parameter isAnother: whether the job takes this name instead of the one that it has.
  func intent(
    _ name: String, _ identity: FileIdentity, _ digest: SourcedDigest?, taken: Set<String> = [],
    isAnother: Bool = false
  ) -> PublishIntent {
    let policy = isAnother ? .fail : box.job.specification.options.onConflict
    let naming = TargetNaming(
      directory: publication.part.destination.path, policy: policy, taken: taken, isAnother: isAnother)
    return PublishIntent(
      id: box.job.id, identity: identity, fileName: name, naming: isNamed && !isAnother ? nil : naming, digest: digest,
      response: facts.response, sums: sums)
  }

  /// Returns the digest to record. A file without checksums of its blocks, because it is small, is hashed while it is in
  /// memory: otherwise nothing could show later that it is unchanged. Blocks.
  func digestToRecord() throws(Failure) -> SourcedDigest? {
    let isProved = facts.digest.map { $0.source != .computed } ?? false
    guard !isProved, publication.size <= BlockSums.block else { return facts.digest }
    let found = try FileHashing.digest(.sha256, publication.part, publication.size) { false }
    return found.map { SourcedDigest($0, .computed) }
  }
}
