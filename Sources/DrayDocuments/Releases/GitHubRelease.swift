// Releases and their assets, as GitHub's API describes them.

package import DrayCore

/// A release: a tag with files.
package struct GitHubRelease: Sendable, Equatable {
  /// A file of a release.
  package struct Asset: Sendable, Equatable {
    package var id: Int64
    package var name: String
    package var size: Int64?
    /// `nil` for files that were uploaded before GitHub computed digests.
    package var digest: DigestValue?
    /// The URL for everybody; `nil` if it cannot be used.
    package var url: RequestURL?
    /// Whether its upload is complete.
    package var isUploaded: Bool
  }

  package var id: Int64
  package var tag: String
  package var isDraft: Bool
  package var isPrerelease: Bool
  /// May be only the first page of them.
  package var assets: [Asset]

  /// The size of the smallest page that the API uses. A shorter list of assets is complete.
  package static let shortestPage = 30
  static let kind = "an answer of GitHub's API"
  /// The maximum number of assets: ten times as many as GitHub allows.
  package static let mostAssets = 10_000

  /// Reads a release.
  /// - Parameter base: The URL that answered.
  /// - Throws: ``DocumentError``.
  package static func parse(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> GitHubRelease {
    try release(try JSONNode.parse(bytes, kind: kind), base)
  }

  /// Reads a list of releases.
  package static func list(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> [GitHubRelease] {
    var releases: [GitHubRelease] = []
    for node in try array(try JSONNode.parse(bytes, kind: kind)) { releases.append(try release(node, base)) }
    return releases
  }

  /// Reads a page of the assets of a release.
  package static func assets(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> [Asset] {
    try assets(try JSONNode.parse(bytes, kind: kind), base)
  }

  /// Reads from the description of a repository whether only its members see it.
  package static func isPrivate(_ bytes: [UInt8]) throws(DocumentError) -> Bool {
    let node = try JSONNode.parse(bytes, kind: kind)
    guard case .bool(let isPrivate)? = node["private"]?.value else {
      throw DocumentError(kind, "\"private\" is missing", line: node.line)
    }
    return isPrivate
  }

  /// Reads the commit that a tag, a branch or a shortened commit means.
  package static func commit(_ bytes: [UInt8]) throws(DocumentError) -> String {
    let text = String(decoding: bytes.prefix(100), as: UTF8.self).split(whereSeparator: \.isWhitespace).first ?? ""
    guard isCommit(text) else { throw DocumentError(kind, "\(quote(text)) is not a commit") }
    return String(text)
  }

  /// Whether a text is a whole commit: a SHA-1 or a SHA-256.
  package static func isCommit(_ text: some StringProtocol) -> Bool {
    [40, 64].contains(text.utf8.count)
      && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static func release(_ node: JSONNode, _ base: RequestURL) throws(DocumentError) -> GitHubRelease {
    guard let id = node["id"]?.integer, let tag = node["tag_name"]?.string, !tag.isEmpty else {
      throw DocumentError(kind, "a release has no \"id\" or no \"tag_name\"", line: node.line)
    }
    guard tag.utf8.count <= 255, TextSafety.escaped(tag) == tag else {
      throw DocumentError(kind, "the tag \(quote(tag)) is too long or not printable", line: node.line)
    }
    return GitHubRelease(
      id: id, tag: tag, isDraft: node["draft"]?.value == .bool(true),
      isPrerelease: node["prerelease"]?.value == .bool(true),
      assets: try node["assets"].map { (list) throws(DocumentError) in try assets(list, base) } ?? [])
  }

  private static func assets(_ list: JSONNode, _ base: RequestURL) throws(DocumentError) -> [Asset] {
    let nodes = try array(list)
    guard nodes.count <= mostAssets else { throw DocumentError(kind, "a release has too many files", line: list.line) }
    var assets: [Asset] = []
    for node in nodes {
      guard let id = node["id"]?.integer, id >= 0, let name = node["name"]?.string else {
        throw DocumentError(kind, "an asset has no \"id\" or no \"name\"", line: node.line)
      }
      let place = "of the asset \(quote(name))"
      assets.append(
        Asset(
          id: id, name: name, size: try node["size"]?.fileSize("\"size\" \(place)", kind),
          digest: try node["digest"]?.fileDigest("\"digest\" \(place)", kind),
          url: node["browser_download_url"]?.string.flatMap { ServiceAddress.resolve($0, against: base) },
          isUploaded: node["state"].map { $0.string == "uploaded" } ?? true))
    }
    return assets
  }

  private static func array(_ node: JSONNode) throws(DocumentError) -> [JSONNode] {
    guard let elements = node.array else {
      throw DocumentError(kind, "there is \(node.kind) in place of an array", line: node.line)
    }
    return elements
  }
}
