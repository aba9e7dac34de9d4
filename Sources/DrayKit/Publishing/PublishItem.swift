internal import DrayEngine
internal import DrayStore

/// A complete file that is to be published.
final class PublishItem: Sendable {
  let box: JobBox
  let publication: Publication
  let fileName: String
  /// Whether the name of the target is already fixed; if not, the intent fixes it.
  let isNamed: Bool
  let facts: PublishFacts
  let sums: BlockSums?

  init(
    _ box: JobBox, _ publication: Publication, fileName: String, isNamed: Bool, facts: PublishFacts,
    sums: BlockSums? = nil
  ) {
    (self.box, self.publication, self.fileName, self.isNamed) = (box, publication, fileName, isNamed)
    (self.facts, self.sums) = (facts, sums)
  }
}

enum PublishResult: Sendable {
  case published(path: String)
  case skipped(path: String)
  /// The existing file has the same bytes, and is kept.
  case equal
  case failed(Failure)
  /// The run ended before a free name was found, and nothing was published.
  case stopped
  /// Another file of the same group has the name; this file replaces it in the next group.
  case next
  /// Another unfinished job has the name; this file replaces that job's file later.
  case busy(Failure)
  /// A page arrived in place of the file, and was saved under another name.
  case refused(Failure)
  /// The file was renamed, but perhaps not durably; recovery finishes the publish.
  case unfinished(Failure)
}

extension PublishItem {
  /// Returns the record to store before the file is renamed to `name`.
  /// - Parameter isAnother: Whether the job takes this name in place of its present one.
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

  /// A small file has no checksums of blocks, so it is hashed while it is in memory. With the digest, a later check can
  /// show that the file is unchanged. The call blocks the calling thread.
  func digestToRecord() throws(Failure) -> SourcedDigest? {
    let isProved = facts.digest.map { $0.source != .computed } ?? false
    guard !isProved, publication.size <= BlockSums.block else { return facts.digest }
    let found = try FileHashing.digest(.sha256, publication.part, publication.size) { false }
    return found.map { SourcedDigest($0, .computed) }
  }
}
