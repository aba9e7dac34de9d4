// What a document says of one file: where it is, and what is known of it.

public import DrayCore

/// A file that a catalog, a Metalink file or a manifest offers.
public struct OfferedFile: Sendable, Equatable {
  /// Where it is, the preferred place first; never empty.
  public var urls: [RequestURL]
  /// What it is to be called: a relative path of safe components, or `nil` to leave it to the server.
  public var name: String?
  /// Its length in bytes.
  public var size: Int64?
  /// What it hashes to: the strongest of the digests that the document gives.
  public var digest: DigestValue?
  /// Who says so; `nil` is whoever wrote the document, as the user did.
  public var digestSource: DigestSource?
  /// What its pieces hash to.
  public var pieces: PieceHashes?
  /// Fields that a request for the first of ``urls`` is to carry.
  public var headers: [HeaderField]

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
