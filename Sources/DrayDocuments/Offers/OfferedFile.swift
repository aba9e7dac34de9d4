// The description of a file in a document: URLs, size and digests.

package import DrayCore

/// A file that a catalog, a Metalink file or a manifest offers.
package struct OfferedFile: Sendable, Equatable {
  /// The URLs, preferred first; never empty.
  package var urls: [RequestURL]
  /// A relative path of safe components; `nil` if the server names the file.
  package var name: String?
  /// In bytes.
  package var size: Int64?
  /// The strongest one in the document.
  package var digest: DigestValue?
  /// `nil` for the document's author, who is trusted like the user.
  package var digestSource: DigestSource?
  package var pieces: PieceHashes?
  /// The URL or the absolute path of a control file of zsync; `nil` if there is none.
  package var control: String?
  /// The header fields for requests to the first of ``urls``.
  package var headers: [HeaderField]
  package var userAgent: String?
  package var referer: String?

  package init(
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
