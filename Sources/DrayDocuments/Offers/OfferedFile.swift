// What a document says of one file: its URLs, size and digests.

public import DrayCore

/// A file that a catalog, a Metalink file or a manifest offers.
public struct OfferedFile: Sendable, Equatable {
  /// Where it is, the preferred place first; never empty.
  public var urls: [RequestURL]
  /// Its name: a relative path of safe components, or `nil` if the server names it.
  public var name: String?
  /// Its length in bytes.
  public var size: Int64?
  /// Its digest: the strongest that the document gives.
  public var digest: DigestValue?
  /// The source of the digest; `nil` for the document's author, as if the user had given it.
  public var digestSource: DigestSource?
  /// The hashes of its pieces.
  public var pieces: PieceHashes?
  /// Fields for requests to the first of ``urls``.
  public var headers: [HeaderField]
  /// The `User-Agent`.
  public var userAgent: String?
  /// The `Referer`.
  public var referer: String?

  /// Makes an offer.
  public init(
    urls: [RequestURL], name: String? = nil, size: Int64? = nil, digest: DigestValue? = nil,
    pieces: PieceHashes? = nil, headers: [HeaderField] = []
  ) {
    self.urls = urls
    self.name = name
    self.size = size
    self.digest = digest
    self.pieces = pieces
    self.headers = headers
  }
}
