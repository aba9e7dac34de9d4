// Names of repositories on a hub of Hugging Face: `hf:org/model@main/dir/file`, and web addresses that stand for them.

package import DrayCore

/// A repository or a bucket, a revision of it, and a path in it.
package struct HubName: Sendable, Equatable {
  /// The kinds of things that a hub has, with their prefix in names and addresses.
  package enum Kind: String, Sendable, CaseIterable {
    case model = "models"
    case dataset = "datasets"
    case space = "spaces"
    case kernel = "kernels"
    /// Storage without revisions.
    case bucket = "buckets"

    /// What comes before the name in the address of a page or of a file; models have nothing.
    var addressPrefix: String { self == .model ? "" : "\(rawValue)/" }
  }

  package var kind: Kind
  /// `namespace/name`; a few old models have no namespace.
  package var id: String
  /// A branch, a tag, a commit, or `refs/pr/1`; `nil` if none was given.
  package var revision: String?
  /// The path of a file or a directory; empty for the whole.
  package var path: String

  /// The revision of a name without one.
  package static let defaultRevision = "main"
  package static let scheme = "hf"
  static let kindOfText = "a name on Hugging Face"

  package init(_ kind: Kind, _ id: String, revision: String? = nil, path: String = "") {
    (self.kind, self.id, self.revision, self.path) = (kind, id, revision, path)
  }

  /// The revision to ask for.
  package var wantedRevision: String { revision ?? HubName.defaultRevision }

  /// Whether a revision is a whole commit, which never changes.
  package static func isCommit(_ revision: String) -> Bool {
    revision.utf8.count == 40 && revision.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  // MARK: Names

  /// Reads what follows `hf:`: `[KIND/]NAMESPACE/NAME[@REVISION][/PATH]`, with `//` before it or not.
  ///
  /// As in the addresses of the official client, an `@` counts only directly after the name, `refs/pr/N` and
  /// `refs/convert/NAME` are revisions as a whole, and `%2F` is a slash in any other revision.
  /// - Throws: ``DocumentError`` with the reason.
  package static func parse(_ text: String) throws(DocumentError) -> HubName {
    var rest = text[...]
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    let kind = try takeKind(&rest)
    while rest.hasSuffix("/") { rest.removeLast() }
    let parts = rest.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    // The first part has the mark only if the name has no namespace.
    if let first = parts.first, let mark = first.firstIndex(of: "@") {
      return try versioned(kind, id: String(first[..<mark]), String(rest[first.index(after: mark)...]), text)
    }
    guard parts.count > 1 else { return try checked(HubName(kind, String(rest)), text) }
    if kind != .bucket, let mark = parts[1].firstIndex(of: "@") {
      let id = "\(parts[0])/\(parts[1][..<mark])"
      return try versioned(kind, id: id, String(rest[parts[1].index(after: mark)...]), text)
    }
    let path = parts.count > 2 ? String(parts[2]) : ""
    return try checked(HubName(kind, "\(parts[0])/\(parts[1])", path: path), text)
  }

  private static func takeKind(_ rest: inout Substring) throws(DocumentError) -> Kind {
    let first = String(rest.prefix { $0 != "/" })
    if let kind = Kind(rawValue: first) {
      rest = rest.dropFirst(first.count + 1)
      return kind
    }
    guard Kind(rawValue: first + "s") == nil else { throw error("write \(first)s/ for \(first)/") }
    return .model
  }

  /// Reads what follows the `@`.
  private static func versioned(
    _ kind: Kind, id: String, _ rest: String, _ text: String
  ) throws(DocumentError) -> HubName {
    let length = specialLength(rest) ?? rest.prefix { $0 != "/" }.count
    let written = String(rest.prefix(length))
    let path = rest.dropFirst(length).drop { $0 == "/" }
    guard let revision = decoded(written) else { throw error("its revision is not UTF-8") }
    return try checked(HubName(kind, id, revision: revision, path: String(path)), text)
  }

  /// Returns the number of characters of `refs/pr/N` or `refs/convert/NAME` at the start of a text.
  private static func specialLength(_ text: String) -> Int? {
    for start in ["refs/pr/", "refs/convert/"] where text.hasPrefix(start) {
      let name = text.dropFirst(start.count).prefix { $0 != "/" }
      if !name.isEmpty, start == "refs/convert/" || name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
        return start.count + name.count
      }
    }
    return nil
  }

  private static func decoded(_ text: String) -> String? {
    String(validating: PercentText.decoded(Array(text.utf8)), as: UTF8.self)
  }

  // MARK: Checks

  private static func checked(_ name: HubName, _ text: String) throws(DocumentError) -> HubName {
    let parts = name.id.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ isPlain($0) }), name.id.utf8.count <= 96 * 2 + 1 else {
      throw error("\(quote(name.id)) is not NAMESPACE/NAME of letters, digits, '-', '_' and '.'")
    }
    guard parts.count == 2 || name.kind != .bucket else { throw error("write a bucket as buckets/NAMESPACE/NAME") }
    if name.kind == .bucket, name.revision != nil { throw error("a bucket has no revisions: omit @") }
    if let revision = name.revision, !isRevision(revision) {
      throw error("\(quote(revision)) is not a branch, a tag or a commit")
    }
    guard name.path.isEmpty || HubTree.isPath(name.path) else {
      throw error("no repository has the path \(quote(name.path))")
    }
    return name
  }

  /// Whether a namespace or a name has the form that the hub allows.
  private static func isPlain(_ part: Substring) -> Bool {
    guard (1...96).contains(part.utf8.count), let first = part.utf8.first, let last = part.utf8.last else {
      return false
    }
    let bytes = part.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
    }
    let ends = [UInt8(ascii: "-"), UInt8(ascii: ".")]
    return bytes && !ends.contains(first) && !ends.contains(last) && !part.contains("--") && !part.contains("..")
      && !part.hasSuffix(".git")
  }

  /// Whether a text may be the name of a git reference, which also becomes a path in the cache of the official client.
  static func isRevision(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 250 && TextSafety.escaped(text) == text
      && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasSuffix(".") }
      && !text.contains("..") && !text.contains { " ~^:?*[\\".contains($0) }
  }

  private static func error(_ reason: String) -> DocumentError { DocumentError(kindOfText, reason) }

  // MARK: Text

  /// What follows `hf:` in the name.
  package var text: String {
    let kind = kind == .model ? "" : "\(kind.rawValue)/"
    let revision = revision.map { "@\(HubName.escaped($0))" } ?? ""
    return kind + id + revision + (path.isEmpty ? "" : "/\(path)")
  }

  private static func escaped(_ revision: String) -> String {
    if specialLength(revision) == revision.count { return revision }
    return revision.replacing("%", with: "%25").replacing("/", with: "%2F")
  }

  package var name: SourceName { SourceName(scheme: HubName.scheme, rest: text) }

  /// The name that was meant if the revision is a branch with a slash that was not written as `%2F`: with the first part
  /// of the path in the revision. `nil` if there is no revision or no path.
  package var withLongerRevision: HubName? {
    guard let revision, !HubName.isCommit(revision), let first = path.split(separator: "/").first else { return nil }
    var longer = self
    longer.revision = "\(revision)/\(first)"
    longer.path = String(path.dropFirst(first.count).drop { $0 == "/" })
    return longer
  }

  /// This name with a commit in place of its revision.
  package func pinned(to commit: String?) -> HubName {
    var pinned = self
    pinned.revision = commit
    return pinned
  }

  // MARK: Web addresses

  /// The hosts of the public hub.
  package static let hosts: Set<String> = ["huggingface.co", "hf.co", "www.huggingface.co"]

  /// The routes of addresses that stand for a file or a directory.
  private static let routes: Set<Substring> = ["blob", "resolve", "tree", "raw", "blame"]

  /// Returns the name for a pasted web address of a file or a directory.
  /// - Parameter endpoint: Another hub, which may be below a path of its server.
  /// - Returns: `nil` for all other addresses, such as those of pages.
  package static func of(address: RequestURL, endpoint: RequestURL? = nil) -> HubName? {
    guard address.scheme == "https" || address.scheme == "http" else { return nil }
    var path = address.path[...]
    if let endpoint, address.origin == endpoint.origin {
      let prefix = endpoint.path.hasSuffix("/") ? endpoint.path : endpoint.path + "/"
      guard path.hasPrefix(prefix) else { return nil }
      path = path.dropFirst(prefix.count)
    } else if !hosts.contains(address.host) || address.port != nil {
      return nil
    }
    // A slash in a segment was written as %2F, and stays so: it is part of a revision.
    var segments: [String] = []
    for segment in path.split(separator: "/") {
      guard let decoded = decoded(String(segment)) else { return nil }
      segments.append(decoded.replacing("/", with: "%2F"))
    }
    let kind = segments.first.flatMap { Kind(rawValue: $0) }
    if kind != nil { segments.removeFirst() }
    let routes = kind == .bucket ? ["resolve", "tree"] : HubName.routes
    guard segments.count > 3, routes.contains(segments[2][...]) else { return nil }
    let tail = segments[3...].joined(separator: "/")
    let text = "\((kind ?? .model).rawValue)/\(segments[0])/\(segments[1])\(kind == .bucket ? "/" : "@")\(tail)"
    // Only a directory may be the whole repository.
    return (try? parse(text)).flatMap { $0.path.isEmpty && segments[2] != "tree" ? nil : $0 }
  }
}
