// The description of a file in a document: URLs, size and digests.

public import DrayCore

/// A file that a catalog, a Metalink file or a manifest offers.
public struct OfferedFile: Sendable, Equatable {
  /// The URLs, preferred first; never empty.
  public var urls: [RequestURL]
  /// A relative path of safe components; `nil` if the server names the file.
  public var name: String?
  /// In bytes.
  public var size: Int64?
  /// The strongest one in the document.
  public var digest: DigestValue?
  /// `nil` for the document's author, who is trusted like the user.
  public var digestSource: DigestSource?
  public var pieces: PieceHashes?
  /// The URL or the absolute path of a control file of zsync; `nil` if there is none.
  public var control: String?
  /// The header fields for requests to the first of ``urls``.
  public var headers: [HeaderField]
  public var userAgent: String?
  public var referer: String?

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
