/// The facts about a file that are known before its first byte.
package struct SourceFacts: Sendable, Equatable {
  /// The length in bytes, if the server reports it.
  package var size: Int64?
  /// The time at which the file was last changed, in seconds since 1970, if the server reports it.
  package var modified: Int64?
  /// The strong identity of this version, in quotes. Only local files have it.
  package var etag: String?

  /// Creates facts.
  package init(size: Int64? = nil, modified: Int64? = nil, etag: String? = nil) {
    self.size = size
    self.modified = modified
    self.etag = etag
  }

  /// Creates the facts about a local file. The `ETag` changes with the file's identity, length and time.
  package init(_ identity: FileIdentity) {
    size = identity.size
    modified = identity.modified / 1_000_000_000
    etag = "\"\(identity.device)-\(identity.inode)-\(identity.size)-\(identity.modified)\""
  }
}
