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
  /// The known digests of a small file that nobody has compared yet; `nil` for other files.
  let check: DigestCheck?

  init(
    _ box: JobBox, _ publication: Publication, fileName: String, isNamed: Bool, facts: PublishFacts,
    sums: BlockSums? = nil, check: DigestCheck? = nil
  ) {
    (self.box, self.publication, self.fileName, self.isNamed) = (box, publication, fileName, isNamed)
    (self.facts, self.sums, self.check) = (facts, sums, check)
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
  /// The bytes are wrong, and none of them is on disk.
  case mismatched(Failure)
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

  /// Compares a file that was not compared yet with its known digests. The call blocks the calling thread.
  /// - Returns: The proven digest, and a note for people.
  /// - Throws: Kind `integrity` for a file that does not match.
  func prove() throws(Failure) -> (digest: SourcedDigest?, doubt: String?) {
    guard let check else { return (facts.digest, nil) }
    let found = try FileHashing.digests(check.algorithms, publication.part, publication.size) { false }
    return try DigestCheck.outcome(check.verdict(found ?? []), box.job.specification.request.url.description)
  }

  /// A small file has no checksums of blocks, so it is hashed while it is in memory. With the digest, a later check can
  /// show that the file is unchanged. The call blocks the calling thread.
  /// - Parameter proof: The digest that was compared with the file, if any.
  func digestToRecord(_ proof: SourcedDigest?) throws(Failure) -> SourcedDigest? {
    let isProved = proof.map { $0.source != .computed } ?? false
    guard !isProved, publication.size <= BlockSums.block else { return proof }
    let found = try FileHashing.digest(.sha256, publication.part, publication.size) { false }
    return found.map { SourcedDigest($0, .computed) }
  }
}
