// The answers of a hub: which commit a revision is, and which files it has.

package import DrayCore

/// A file of a repository as the hub lists it.
package struct HubFile: Sendable, Equatable {
  package var path: String
  /// In bytes.
  package var size: Int64
  /// The name of git's blob: of the file, or of the small text that stands for it if the file is in LFS. `nil` in a
  /// bucket.
  package var blob: DigestValue?
  /// The SHA-256 of a file in LFS.
  package var sha256: DigestValue?

  package init(path: String, size: Int64, blob: DigestValue?, sha256: DigestValue? = nil) {
    (self.path, self.size, self.blob, self.sha256) = (path, size, blob, sha256)
  }

  /// The digest of the file's bytes.
  package var digest: DigestValue? { sha256 ?? blob }
}

/// The files of a revision, gathered from the pages of a listing.
package struct HubTree: Sendable {
  static let kind = "a listing of a repository"
  /// The maximum number of pages and of files. The hub's pages have up to 1,000 entries.
  static let mostPages = 10_000
  static let mostFiles = 1_000_000

  package private(set) var files: [HubFile] = []
  /// The number of entries that are neither files nor directories.
  package private(set) var others = 0
  private var paths: Set<String> = []
  private var pages = 0
  private var visited: Set<String> = []
  private let isBucket: Bool

  /// - Parameter isBucket: Whether the files are those of a bucket, which have no digests of git.
  package init(isBucket: Bool = false) { self.isBucket = isBucket }

  /// Returns the commit in the description of a revision.
  package static func commit(_ bytes: [UInt8]) throws(DocumentError) -> String {
    let kind = "the description of a revision"
    let node = try JSONNode.parse(bytes, kind: kind)
    guard let commit = node["sha"]?.string, HubName.isCommit(commit) else {
      throw DocumentError(kind, "its \"sha\" is not a commit of 40 hexadecimal digits", line: node.line)
    }
    return commit
  }

  /// Whether a text is the path of a file or a directory in a repository: relative, printable, and without steps
  /// upwards.
  package static func isPath(_ text: String) -> Bool {
    let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= SourceAnswer.longest && TextSafety.escaped(text) == text && parts.count <= 32
      && parts.allSatisfy { part in
        let name = String(part)
        return !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255 && !name.contains("\\")
      }
  }

  /// Adds a page.
  /// - Parameters:
  ///   - url: The URL of the page.
  ///   - next: The link to the next page; `nil` at the last one.
  /// - Returns: The URL of the next page; `nil` if this was the last one.
  /// - Throws: ``DocumentError`` for an entry that no repository can have, and for pages that do not end.
  package mutating func add(
    page bytes: [UInt8], of url: RequestURL, next: String?
  ) throws(DocumentError) -> RequestURL? {
    let node = try JSONNode.parse(bytes, kind: HubTree.kind)
    guard let entries = node.array else { throw error("it is \(node.kind), but must be an array", node) }
    visited.insert(url.string)
    pages += 1
    for entry in entries { try add(entry) }
    guard let next else { return nil }
    guard let target = DocumentURL.resolve(next, against: url), target.origin == url.origin else {
      throw error("its next page is on another server", node)
    }
    guard !visited.contains(target.string) else { throw error("its pages lead in a circle", node) }
    guard pages < HubTree.mostPages else { throw error("it has more than \(HubTree.mostPages) pages", node) }
    return target
  }

  /// Adds the entries of a list of paths that were asked for, and returns those that are directories.
  package mutating func add(named bytes: [UInt8]) throws(DocumentError) -> [String] {
    let node = try JSONNode.parse(bytes, kind: HubTree.kind)
    guard let entries = node.array else { throw error("it is \(node.kind), but must be an array", node) }
    var directories: [String] = []
    for entry in entries {
      if entry["type"]?.string == "directory" { directories.append(try path(entry)) } else { try add(entry) }
    }
    return directories
  }

  private mutating func add(_ entry: JSONNode) throws(DocumentError) {
    guard let type = entry["type"]?.string else { throw error("an entry has no \"type\"", entry) }
    switch type {
    case "directory": return
    case "file": break
    default: return others += 1
    }
    let file = try file(entry)
    guard paths.insert(file.path).inserted else { throw error("\(quote(file.path)) is in it twice", entry) }
    guard files.count < HubTree.mostFiles else { throw error("it has more than \(HubTree.mostFiles) files", entry) }
    files.append(file)
  }

  private func path(_ entry: JSONNode) throws(DocumentError) -> String {
    guard let path = entry["path"]?.string, HubTree.isPath(path) else {
      throw error("\(quote(entry["path"]?.string ?? "")) cannot be the path of a file", entry)
    }
    return path
  }

  private func file(_ entry: JSONNode) throws(DocumentError) -> HubFile {
    let path = try path(entry)
    guard let size = entry["size"]?.integer, size >= 0 else {
      throw error("the size of \(quote(path)) is not a number of bytes", entry)
    }
    if isBucket { return HubFile(path: path, size: size, blob: nil) }
    guard let blob = HubTree.digest(.gitSHA1, entry["oid"]) else {
      throw error("the \"oid\" of \(quote(path)) is not a digest of 40 hexadecimal digits", entry)
    }
    guard let lfs = entry["lfs"], lfs.value != .null else { return HubFile(path: path, size: size, blob: blob) }
    guard let digest = HubTree.digest(.sha256, lfs["oid"]) else {
      throw error("the LFS \"oid\" of \(quote(path)) is not a digest of 64 hexadecimal digits", entry)
    }
    guard lfs["size"].map({ $0.integer == size }) ?? true else {
      throw error("it names two sizes of \(quote(path))", entry)
    }
    return HubFile(path: path, size: size, blob: blob, sha256: digest)
  }

  private static func digest(_ algorithm: DigestAlgorithm, _ node: JSONNode?) -> DigestValue? {
    guard let text = node?.string, text.utf8.count == algorithm.byteCount * 2 else { return nil }
    return try? DigestValue.parse("\(algorithm.rawValue)=\(text)")
  }

  private func error(_ reason: String, _ node: JSONNode) -> DocumentError {
    DocumentError(HubTree.kind, reason, line: node.line)
  }
}
