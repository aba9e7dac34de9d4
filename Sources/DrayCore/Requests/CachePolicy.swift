// Decides whether the existing target can be kept instead of fetching the file again.

/// The cache policy of a request.
public struct CachePolicy: Sendable, Equatable, Codable {
  /// The existing target, which is kept unless the server has another version; `nil` to fetch in any case.
  package var ifChanged: TargetBaseline?
  /// Whether caches must revalidate with the server (`Cache-Control: no-cache`, RFC 9111 §5.2.1.4).
  public var noCache: Bool

  /// Creates a policy.
  package init(ifChanged: TargetBaseline? = nil, noCache: Bool = false) {
    self.ifChanged = ifChanged
    self.noCache = noCache
  }
}

/// The condition for a server to send the file only if the server's file differs from the local one (RFC 9110 §13.1).
package struct CacheCondition: Sendable, Equatable {
  /// The entity tag for `If-None-Match`.
  package var etag: String?
  /// The date for `If-Modified-Since`.
  package var since: String?
  /// The length of the local file.
  package var size: Int64

  /// Creates a condition.
  package init(etag: String? = nil, since: String? = nil, size: Int64) {
    self.etag = etag
    self.since = since
    self.size = size
  }

  /// The header fields.
  package var fields: [HeaderField] {
    [etag.map { HeaderField("If-None-Match", $0) }, since.map { HeaderField("If-Modified-Since", $0) }]
      .compactMap(\.self)
  }

  /// Whether the file in a 200 answer is the local version: a server that ignores conditions sends it nevertheless. A
  /// file of a different length is another version. If the lengths are equal, a strong `ETag` decides. Without a strong
  /// `ETag`, the length of the server's file must be known, and that file must not be newer.
  /// - Parameter length: The length of the file on the server, if known.
  package func isMet(by head: ResponseHead, length: Int64?) -> Bool {
    if let length, length != size { return false }
    let mine = Validators(etag: etag).strongETag
    if let mine, let theirs = head.validators.strongETag { return Validators.isSame(mine, theirs) }
    guard length == size, let since = since.flatMap({ HTTPDate.parse($0) }),
      let modified = head.first("last-modified").flatMap({ HTTPDate.parse($0) })
    else { return false }
    return modified <= since
  }
}
