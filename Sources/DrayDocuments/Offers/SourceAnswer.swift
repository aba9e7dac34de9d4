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
    /// A readable name; `nil` if the file name is one.
    public var title: String?

    public init(_ file: OfferedFile, path: String, arrangement: SourceArrangement? = nil, title: String? = nil) {
      (self.file, self.path, self.arrangement, self.title) = (file, path, arrangement, title)
    }
  }

  /// A small file that the source's own program keeps beside the files, in its own layout.
  public struct Document: Sendable, Equatable {
    public var path: String
    public var bytes: [UInt8]

    public init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// What the job of a file remembers.
  /// - Parameter name: The name that was asked for.
  public func reference(to entry: Entry, of name: SourceName) -> SourceReference {
    SourceReference(
      name: name.label, pinned: pinned.text, revision: revision, path: entry.path,
      arrangements: [entry.arrangement].compactMap(\.self), title: entry.title)
  }

  /// Whether the files are those of an image.
  public var isImage: Bool { if case .image? = entries.last?.arrangement { true } else { false } }

  /// The name that gives these files again: with the revision in place of a branch or of `latest`.
  public var pinned: SourceName
  /// A commit, a tag, the digest of a manifest; `nil` if the source has none.
  public var revision: String?
  public var entries: [Entry]
  /// What users should know, one line each: files that nothing proves, entries that were left out.
  public var remarks: [String]
  /// The directory in which another program looks for these files; `nil` if there is none. Files go there unless the
  /// user names a directory.
  public var directory: String?
  /// Whether requests now get other header fields than before, which are not stored with jobs. A link that has failed may
  /// then work.
  public var hasNewFields = false
  /// Used only where the files get the layout of the source's own program.
  public var documents: [Document] = []

  public init(pinned: SourceName, revision: String?, entries: [Entry], remarks: [String] = []) {
    (self.pinned, self.revision, self.entries, self.remarks) = (pinned, revision, entries, remarks)
  }
}
