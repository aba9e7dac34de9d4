// What a server says of a directory, whatever form it says it in.

public import DrayCore

/// Something in a directory, or further below it.
public struct ListedEntry: Sendable, Equatable {
  /// Where it is; that of a directory ends with a slash.
  public var url: RequestURL
  /// What is known of its version.
  public var facts: ListedFacts
  /// What the listing says of it beside its name, in the listing's own words: only to be compared with other listings.
  public var row: String

  /// Whether the listing leaves open what this is: a link without a slash, where others of its server may have none either.
  public var isOpen: Bool

  /// Whether it is a directory.
  public var isDirectory: Bool { url.path.hasSuffix("/") }

  /// An entry; without a row of its own it is made of the facts.
  init(_ url: RequestURL, _ facts: ListedFacts = ListedFacts(), row: String? = nil, isOpen: Bool = false) {
    (self.url, self.facts, self.isOpen) = (url, facts, isOpen)
    self.row = row ?? facts.row
  }
}

/// What a listing says of the version of a file; what it does not say exactly is `nil`.
public struct ListedFacts: Sendable, Equatable {
  /// Bytes; not what was rounded.
  public var size: Int64?
  /// When it was changed, in seconds since 1970; not what lacks seconds, or whose zone is unknown.
  public var modified: Int64?
  /// Its `ETag`.
  public var etag: String?

  /// Makes facts.
  public init(size: Int64? = nil, modified: Int64? = nil, etag: String? = nil) {
    (self.size, self.modified, self.etag) = (size, modified, etag)
  }

  /// Whether they are of the version that was fetched, without a doubt: the same strong `ETag`, or, where one of both has
  /// none, the same length and the same second.
  /// - Parameters:
  ///   - validators: those of the answer that brought the file.
  ///   - size: its length.
  public func prove(_ validators: Validators, size: Int64) -> Bool {
    if let mine = self.size, mine != size { return false }
    if let mine = Validators(etag: etag).strongETag, let theirs = validators.strongETag {
      return Validators.isSame(mine, theirs)
    }
    guard self.size != nil, let modified, let recorded = validators.lastModified.flatMap({ HTTPDate.parse($0) }) else {
      return false
    }
    return modified == recorded
  }

  fileprivate var row: String {
    [size.map { "\($0)" }, modified.map { "\($0)" }, etag].compactMap(\.self).joined(separator: " ")
  }
}

/// A listing of a directory, or a part of it.
public struct Listing: Sendable, Equatable {
  /// What is there, each once.
  public private(set) var entries: [ListedEntry] = []
  /// How many entries were passed over that are neither files nor directories: symbolic links, devices.
  public var others = 0
  /// How many names cannot be those of files.
  public var unusable = 0
  /// What to ask for the next part by; `nil` for the last.
  public var next: String?
  /// Whether it has names and nothing else (``JSONIndex``): its server lists the directories below in the same way.
  public var hasNamesOnly = false

  /// Whether it names a directory as such: then its server marks every one.
  public var marksDirectories: Bool { entries.contains(where: \.isDirectory) }

  private var seen: Set<RequestURL> = []

  init() {}

  /// Adds an entry, unless it is there already: pages link the icon and the name.
  mutating func add(_ entry: ListedEntry) {
    if seen.insert(entry.url).inserted { entries.append(entry) }
  }

  /// Adds what has this name in `directory`.
  mutating func add(
    _ name: some Collection<UInt8>, in directory: RequestURL, isDirectory: Bool, _ facts: ListedFacts,
    row: String? = nil, isOpen: Bool = false
  ) {
    guard let url = directory.child(name, isDirectory: isDirectory) else { return unusable += 1 }
    add(ListedEntry(url, facts, row: row, isOpen: isOpen))
  }

  /// What a link that leads upwards is noticed by. `nil` for a directory without any in it: nothing leads on from there.
  /// - Parameter directory: whose listing it is.
  public func mark(of directory: RequestURL) -> ListingMark? {
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

/// What is left of a listing to be compared with those of directories below: the same is said of the same names.
public struct ListingMark: Sendable, Equatable {
  let hash: Int
  /// Whether there is a file in the directory.
  public let hasFiles: Bool
  /// Whether more than the name is said of a file: then two directories with the same listing are one. Else they may just be
  /// alike.
  public let tellsFilesApart: Bool
}
