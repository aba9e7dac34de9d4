// Whether an existing target may be kept.

/// The cache policy of a request.
public struct CachePolicy: Sendable, Equatable, Codable {
  /// Fetch only if the server has another version than that of the target, described here. `nil`: fetch
  /// unconditionally.
  public var ifChanged: TargetBaseline?
  /// Whether caches must revalidate with the server (`Cache-Control: no-cache`, RFC 9111 §5.2.1.4).
  public var noCache: Bool

  /// Makes a policy.
  public init(ifChanged: TargetBaseline? = nil, noCache: Bool = false) {
    self.ifChanged = ifChanged
    self.noCache = noCache
  }
}

/// The target as it was when a conditional fetch was requested: what the server is asked about, and the only
/// file that may be replaced.
public struct TargetBaseline: Sendable, Equatable, Codable {
  /// The name of the target, if known before the server names it.
  public var name: String?
  /// Which file had that name; `nil` for none.
  public var identity: FileIdentity?
  /// What identifies the version that it is of, if dray fetched it and it is unchanged since.
  public var validators: Validators?
  /// Its digest, likewise.
  public var digest: DigestValue?

  /// Makes a baseline; the default is that of a target of which nothing is known.
  public init(
    name: String? = nil, identity: FileIdentity? = nil, validators: Validators? = nil, digest: DigestValue? = nil
  ) {
    self.name = name
    self.identity = identity
    self.validators = validators
    self.digest = digest
  }

  /// What to ask the server about the file `found`: by the recorded validators, or by its time, as wget and curl do for
  /// files that they know nothing else of.
  public func condition(for found: FileIdentity) -> CacheCondition {
    let time = HTTPDate.format(TargetBaseline.seconds(found))
    guard isUnchanged(found), let validators, validators.etag != nil || validators.lastModified != nil else {
      return CacheCondition(etag: nil, since: time, size: found.size)
    }
    return CacheCondition(etag: validators.etag, since: validators.lastModified ?? time, size: found.size)
  }

  /// Whether `found`, which has the target's `name` now, may be replaced: it is the file that was asked about, or, where
  /// the server named the target, it is older than the job.
  /// - Parameter addedAt: when the job was added, in seconds since 1970.
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

/// The condition under which a server sends the file only if it differs from the local one (RFC 9110 §13.1).
public struct CacheCondition: Sendable, Equatable {
  /// The entity tag for `If-None-Match`.
  public var etag: String?
  /// The date for `If-Modified-Since`.
  public var since: String?
  /// The length of the local file.
  public var size: Int64

  /// Makes a condition.
  public init(etag: String? = nil, since: String? = nil, size: Int64) {
    self.etag = etag
    self.since = since
    self.size = size
  }

  /// The fields of the condition.
  public var fields: [HeaderField] {
    [etag.map { HeaderField("If-None-Match", $0) }, since.map { HeaderField("If-Modified-Since", $0) }]
      .compactMap(\.self)
  }

  /// Whether a 200 is of the local version anyway, from a server without support for conditions: a strong `ETag`
  /// decides if there is one; else the length must be the same, and the file not newer than the local one.
  /// - Parameter length: the length of the file on the server, if known.
  public func isMet(by head: ResponseHead, length: Int64?) -> Bool {
    let mine = Validators(etag: etag).strongETag
    if let mine, let theirs = head.validators.strongETag { return Validators.isSame(mine, theirs) }
    guard length == size, let since = since.flatMap({ HTTPDate.parse($0) }),
      let modified = head.first("last-modified").flatMap({ HTTPDate.parse($0) })
    else { return false }
    return modified <= since
  }
}
