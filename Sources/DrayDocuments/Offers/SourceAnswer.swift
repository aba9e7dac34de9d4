// A source's answer about a name.

package import DrayCore

/// The files that a name stands for.
package struct SourceAnswer: Sendable, Equatable {
  /// A file with its path in the source (``OfferedFile/name``, never `nil`).
  package struct Entry: Sendable, Equatable {
    package var file: OfferedFile
    /// The path in the source, which identifies the file when the source is asked again.
    package var path: String
    package var arrangement: SourceArrangement?
    /// A readable name; `nil` if the file name is one.
    package var title: String?

    package init(_ file: OfferedFile, path: String, arrangement: SourceArrangement? = nil, title: String? = nil) {
      (self.file, self.path, self.arrangement, self.title) = (file, path, arrangement, title)
    }
  }

  /// A small file that the source's own program keeps beside the files, in its own layout.
  package struct Document: Sendable, Equatable {
    package var path: String
    package var bytes: [UInt8]

    package init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
  }

  /// Returns the reference that the job of a file keeps.
  /// - Parameter name: The requested name.
  package func reference(to entry: Entry, of name: SourceName) -> SourceReference {
    SourceReference(
      name: name.label, pinned: pinned.text, revision: revision, path: entry.path,
      arrangements: [entry.arrangement].compactMap(\.self), title: entry.title)
  }

  /// Whether the files are those of an image.
  package var isImage: Bool { if case .image? = entries.last?.arrangement { true } else { false } }

  /// The name that gives these files again: with the revision in place of a branch or of `latest`.
  package var pinned: SourceName
  /// A commit, a tag, the digest of a manifest; `nil` if the source has none.
  package var revision: String?
  package var entries: [Entry]
  /// What users should know, one line each: files that nothing proves, entries that were left out.
  package var remarks: [String]
  /// The directory in which another program looks for these files; `nil` if there is none. Files go there unless the
  /// user names a directory.
  package var directory: String?
  /// Whether requests now get other header fields than before, which are not stored with jobs. A link that has failed may
  /// then work.
  package var hasNewFields = false
  /// Used only where the files get the layout of the source's own program.
  package var documents: [Document] = []

  package init(pinned: SourceName, revision: String?, entries: [Entry], remarks: [String] = []) {
    (self.pinned, self.revision, self.entries, self.remarks) = (pinned, revision, entries, remarks)
  }
}
