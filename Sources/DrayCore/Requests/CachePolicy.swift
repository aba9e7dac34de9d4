// Decides whether an existing target may be kept.

/// The cache policy of a request.
public struct CachePolicy: Sendable, Equatable, Codable {
  /// This target is kept unless the server has another version; `nil` to fetch unconditionally.
  public var ifChanged: TargetBaseline?
  /// Whether caches must revalidate with the server (`Cache-Control: no-cache`, RFC 9111 §5.2.1.4).
  public var noCache: Bool

  /// Creates a policy.
  public init(ifChanged: TargetBaseline? = nil, noCache: Bool = false) {
    self.ifChanged = ifChanged
    self.noCache = noCache
  }
}

/// The target at the time a conditional fetch was requested. The condition is about this file, and no other file may be
/// replaced.
public struct TargetBaseline: Sendable, Equatable, Codable {
  /// The name of the target, if known before the server names it.
  public var name: String?
  /// The identity of the file with this name; `nil` if there was none.
  public var identity: FileIdentity?
  /// The validators of the file's version, if dray fetched the file and it is unchanged.
  public var validators: Validators?
  /// The digest of the file, if dray fetched the file and it is unchanged.
  public var digest: DigestValue?
  /// The source of the digest.
  public var digestSource: DigestSource?
  /// Whether the server's file has another length although the server says that it did not change. The file is then
  /// fetched unconditionally.
  public var hasOtherLength: Bool?

  /// Creates a baseline; by default, for a target without known facts.
  public init(
    name: String? = nil, identity: FileIdentity? = nil, validators: Validators? = nil, digest: DigestValue? = nil,
    digestSource: DigestSource? = nil, hasOtherLength: Bool? = nil
  ) {
    self.hasOtherLength = hasOtherLength
    self.name = name
    self.identity = identity
    self.validators = validators
    (self.digest, self.digestSource) = (digest, digestSource)
  }

  /// Returns the condition for a request about the file `found`: with the recorded validators, or else with the file's
  /// time, like wget and curl.
  public func condition(for found: FileIdentity) -> CacheCondition {
    let time = HTTPDate.format(TargetBaseline.seconds(found))
    guard isUnchanged(found), let validators, validators.etag != nil || validators.lastModified != nil else {
      return CacheCondition(etag: nil, since: time, size: found.size)
    }
    return CacheCondition(etag: validators.etag, since: validators.lastModified ?? time, size: found.size)
  }

  /// Whether only the time of `found` was compared, so that even after a 304 the length of the server's file is
  /// unknown.
  public func leavesLengthOpen(for found: FileIdentity) -> Bool { condition(for: found).etag == nil }

  /// Whether `found`, which now has the target's `name`, may be replaced. `found` must be the file of the request, or
  /// older than the job if the server named the target.
  /// - Parameter addedAt: The time when the job was added, in seconds since 1970.
  public func permitsReplacing(_ found: FileIdentity, named name: String, addedAt: Double) -> Bool {
    guard let known = self.name else { return TargetBaseline.seconds(found) <= Int64(saturating: addedAt) }
    return known == name && isUnchanged(found)
  }

  private func isUnchanged(_ found: FileIdentity) -> Bool { identity.map(found.isUnchanged) ?? false }

  private static func seconds(_ file: FileIdentity) -> Int64 {
    let (quotient, rest) = file.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}

/// The condition for a server to send the file only if it differs from the local one (RFC 9110 §13.1).
public struct CacheCondition: Sendable, Equatable {
  /// The entity tag for `If-None-Match`.
  public var etag: String?
  /// The date for `If-Modified-Since`.
  public var since: String?
  /// The length of the local file.
  public var size: Int64

  /// Creates a condition.
  public init(etag: String? = nil, since: String? = nil, size: Int64) {
    self.etag = etag
    self.since = since
    self.size = size
  }

  /// The header fields.
  public var fields: [HeaderField] {
    [etag.map { HeaderField("If-None-Match", $0) }, since.map { HeaderField("If-Modified-Since", $0) }]
      .compactMap(\.self)
  }

  /// Whether a 200 has the local version, because the server ignores conditions. A file of another length does not have
  /// it. If the lengths are equal, a strong `ETag` decides, if there is one. Without one, the length must be known, and
  /// the server's file must not be newer.
  /// - Parameter length: The length of the file on the server, if known.
  public func isMet(by head: ResponseHead, length: Int64?) -> Bool {
    if let length, length != size { return false }
    let mine = Validators(etag: etag).strongETag
    if let mine, let theirs = head.validators.strongETag { return Validators.isSame(mine, theirs) }
    guard length == size, let since = since.flatMap({ HTTPDate.parse($0) }),
      let modified = head.first("last-modified").flatMap({ HTTPDate.parse($0) })
    else { return false }
    return modified <= since
  }
}
