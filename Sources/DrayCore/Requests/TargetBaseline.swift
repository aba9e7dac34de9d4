// Decides, for a conditional fetch, which condition on the existing target to send, and whether to replace the target.

/// The target as it was when a conditional fetch was requested. The condition applies to exactly this file, and no
/// other file may be replaced.
package struct TargetBaseline: Sendable, Equatable, Codable {
  /// The name of the target, if known before the server answers.
  package var name: String?
  /// The identity of the file with this name; `nil` if no file had it.
  package var identity: FileIdentity?
  /// The file that dray published under this name, if somebody has changed or replaced it since; `nil` if it is
  /// unchanged, or if dray did not fetch it.
  package var published: FileIdentity?
  /// The validators of the version that dray fetched.
  package var validators: Validators?
  /// The digest of the file that dray fetched.
  package var digest: DigestValue?
  /// The source of the digest.
  package var digestSource: DigestSource?
  /// Whether the server answered that its file had not changed, although its length differs. In that case the file is
  /// fetched without a condition.
  package var hasOtherLength: Bool?

  /// Creates a baseline; by default, nothing is known about the target.
  package init(
    name: String? = nil, identity: FileIdentity? = nil, published: FileIdentity? = nil, validators: Validators? = nil,
    digest: DigestValue? = nil, digestSource: DigestSource? = nil, hasOtherLength: Bool? = nil
  ) {
    self.hasOtherLength = hasOtherLength
    self.name = name
    self.identity = identity
    self.published = published
    self.validators = validators
    (self.digest, self.digestSource) = (digest, digestSource)
  }

  /// Adds the record of an earlier fetch of the file. If the file was changed since, for example edited, the record
  /// still names the version to ask the server about.
  /// - Parameters:
  ///   - known: The baseline after the earlier fetch, whose `identity` is that of the published file.
  ///   - isPublished: Whether dray published that file.
  package mutating func learn(from known: TargetBaseline, isPublished: Bool) {
    guard let identity, let before = known.identity, known.name == name else { return }
    if let earlier = known.published, identity.isUnchanged(since: earlier) {
      published = nil
    } else if identity.isUnchanged(since: before) {
      published = known.published
    } else {
      guard isPublished || known.published != nil || known.validators != nil else { return }
      published = known.published ?? before
    }
    (validators, digest, digestSource) = (known.validators, known.digest, known.digestSource)
  }

  /// The length of the version that the server is asked about.
  package func size(of found: FileIdentity) -> Int64 { published?.size ?? found.size }

  /// Returns the condition of a request for the existing file `found`: the recorded validators, or else that file's
  /// time, as in wget and curl.
  package func condition(for found: FileIdentity) -> CacheCondition {
    let time = HTTPDate.format(TargetBaseline.seconds(published ?? found))
    guard isUnchanged(found), let validators, validators.etag != nil || validators.lastModified != nil else {
      return CacheCondition(etag: nil, since: time, size: size(of: found))
    }
    return CacheCondition(etag: validators.etag, since: validators.lastModified ?? time, size: size(of: found))
  }

  /// Whether somebody has changed the target since dray fetched it. In that case another version of the server's does not
  /// replace it. A file that dray did not fetch is replaced, as by wget.
  package var isEdited: Bool { published != nil }

  /// Returns the digest that `found` is known to have; `nil` if it was changed since dray fetched it, because the known
  /// digest is then that of the fetched file.
  package func knownDigest(of found: FileIdentity) -> DigestValue? {
    published == nil && isUnchanged(found) ? digest : nil
  }

  /// Whether only the time of `found` is compared. In that case, even a 304 does not show the length of the server's
  /// file.
  package func leavesLengthOpen(for found: FileIdentity) -> Bool { condition(for: found).etag == nil }

  /// Whether `found`, which now has the target's `name`, may be replaced. It must be the file for which the fetch was
  /// requested. If the server named the target, the file must also be older than the job.
  /// - Parameter addedAt: The time when the job was added, in seconds since 1970.
  package func permitsReplacing(_ found: FileIdentity, named name: String, addedAt: Double) -> Bool {
    guard let known = self.name else { return TargetBaseline.seconds(found) <= Int64(saturating: addedAt) }
    return known == name && isUnchanged(found)
  }

  private func isUnchanged(_ found: FileIdentity) -> Bool { identity.map(found.isUnchanged) ?? false }

  private static func seconds(_ file: FileIdentity) -> Int64 {
    let (quotient, rest) = file.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}
