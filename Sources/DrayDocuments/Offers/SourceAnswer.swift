// What a source says about a name.

public import DrayCore

/// The files that a name stands for.
public struct SourceAnswer: Sendable, Equatable {
  /// A file with its path in the source (``OfferedFile/name``, never `nil`).
  public struct Entry: Sendable, Equatable {
    public var file: OfferedFile
    /// The path in the source, which identifies the file when the source is asked again.
    public var path: String
    public var arrangement: SourceArrangement?

    public init(_ file: OfferedFile, path: String, arrangement: SourceArrangement? = nil) {
      (self.file, self.path, self.arrangement) = (file, path, arrangement)
    }
  }

  /// What the job of a file remembers.
  /// - Parameter name: The name that was asked for.
  public func reference(to entry: Entry, of name: SourceName) -> SourceReference {
    SourceReference(
      name: name.label, pinned: pinned.text, revision: revision, path: entry.path, arrangement: entry.arrangement)
  }

  /// The name that gives these files again: with the revision in place of a branch or of `latest`.
  public var pinned: SourceName
  /// A commit, a tag, the digest of a manifest; `nil` if the source has none.
  public var revision: String?
  public var entries: [Entry]
  /// What users should know, one line each: files that nothing proves, entries that were left out.
  public var remarks: [String]

  public init(pinned: SourceName, revision: String?, entries: [Entry], remarks: [String] = []) {
    (self.pinned, self.revision, self.entries, self.remarks) = (pinned, revision, entries, remarks)
  }
}
