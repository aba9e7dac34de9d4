// The listing of a directory, independent of its form.

package import DrayCore

/// An entry of a directory, or of one below it.
package struct ListedEntry: Sendable, Equatable {
  /// A directory's ends with a slash.
  package var url: RequestURL
  package var facts: ListedFacts
  /// The rest of the entry as the server wrote it, only for comparison with other listings.
  package var row: String

  /// Whether the entry may be a file or a directory: a link without a slash, on a server that may omit it.
  package var isOpen: Bool

  package var isDirectory: Bool { url.path.hasSuffix("/") }

  /// If `row` is `nil`, it is made from the facts.
  init(_ url: RequestURL, _ facts: ListedFacts = ListedFacts(), row: String? = nil, isOpen: Bool = false) {
    (self.url, self.facts, self.isOpen) = (url, facts, isOpen)
    self.row = row ?? facts.row
  }
}

/// A listing of a directory, or a part of it.
package struct Listing: Sendable, Equatable {
  /// Each once.
  package private(set) var entries: [ListedEntry] = []
  /// Skipped entries that are neither files nor directories: symbolic links, devices.
  package var others = 0
  /// Names that cannot be file names.
  package var unusable = 0
  /// Objects with bytes whose keys end with a slash, like a directory's. No file can have such a name.
  package var slashed: [RequestURL] = []
  /// The numbers of skipped entries of other kinds.
  package private(set) var dropped: [DroppedEntry: Int] = [:]
  /// The token to request the next part; `nil` for the last part.
  package var next: String?
  /// Whether the listing has only names (``JSONIndex``). If so, the server's listings of directories below are alike.
  package var hasNamesOnly = false

  /// Whether the listing marks a directory as such. If so, the server marks all of them.
  package var marksDirectories: Bool { entries.contains(where: \.isDirectory) }

  private var seen: [String: Int] = [:]

  init() {}

  /// Adds an entry, unless the listing has it: pages link both the icon and the name. The row is the text after the
  /// name.
  mutating func add(_ entry: ListedEntry) {
    let key = entry.url.placeKey
    if let index = seen[key] {
      if entries[index].row.isEmpty { entries[index].row = entry.row }
    } else {
      seen[key] = entries.count
      entries.append(entry)
    }
  }

  /// Counts the entry as dropped if it is not below the directory.
  mutating func add(_ url: RequestURL, in directory: RequestURL, _ facts: ListedFacts = ListedFacts()) {
    switch url.place(in: directory) {
    case .entry(let url): add(ListedEntry(url, facts))
    case .directory: break
    case .dropped(let kind): drop(kind)
    }
  }

  mutating func drop(_ kind: DroppedEntry) { dropped[kind, default: 0] += 1 }

  mutating func add(
    _ name: some Collection<UInt8>, in directory: RequestURL, isDirectory: Bool, _ facts: ListedFacts,
    row: String? = nil, isOpen: Bool = false
  ) {
    guard let url = directory.child(name, isDirectory: isDirectory) else { return unusable += 1 }
    add(ListedEntry(url, facts, row: row, isOpen: isOpen))
  }

  /// Returns a mark that detects loops: if a link to a parent directory looks like a directory below, both have the
  /// same mark. Returns `nil` if the listing has no directories, because no loop leads through it.
  /// - Parameter directory: The directory of the listing.
  package func mark(of directory: RequestURL) -> ListingMark? {
    guard entries.contains(where: \.isDirectory) else { return nil }
    var hasher = Hasher()
    for entry in entries {
      hasher.combine(entry.row)
      hasher.combine(String(entry.url.path.utf8.dropFirst(directory.path.utf8.count)))
    }
    return ListingMark(
      hash: hasher.finalize(), hasFiles: entries.contains { !$0.isDirectory },
      tellsFilesApart: entries.contains { !$0.isDirectory && !$0.row.isEmpty })
  }
}

/// The digest of a listing, for comparison with the listings of directories below.
package struct ListingMark: Sendable, Equatable {
  let hash: Int
  /// Whether the directory contains a file.
  package let hasFiles: Bool
  /// Whether a file has more than its name. If so, two directories with the same listing are the same directory;
  /// without that, they may only look alike.
  package let tellsFilesApart: Bool
}
