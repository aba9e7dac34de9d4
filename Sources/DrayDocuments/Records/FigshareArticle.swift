// Articles of figshare, as its API describes them.

package import DrayCore

package struct FigshareArticle: Sendable, Equatable {
  package var files: RecordFiles
  /// Whether the article has all its files. Its own list may be only the first page.
  package var isWhole: Bool

  static let kind = "an article of figshare"
  /// The size of the smallest page of the API. A shorter list is complete.
  private static let shortestPage = 10

  /// The folders of files by their numbers, if the article has folders.
  private var folders: [String: String] = [:]
  private var seen: Set<Int64> = []

  /// Reads an article.
  /// - Parameters:
  ///   - base: The URL that answered.
  ///   - id: The number of the article that was asked for.
  /// - Throws: ``DocumentError`` if it is no article, or another one.
  package static func parse(
    _ bytes: [UInt8], base: RequestURL, id: String, version: Int64?
  ) throws(DocumentError) -> FigshareArticle {
    let root = try JSONNode.parse(bytes, kind: kind)
    guard let number = root["id"]?.integer, let list = root["files"] else {
      throw DocumentError(kind, "\"id\" or \"files\" is missing", line: root.line)
    }
    let found = root["version"]?.integer
    guard String(number) == id, version == nil || found == nil || found == version else {
      throw DocumentError(kind, "it is another article or version than the one that was asked for", line: root.line)
    }
    var article = FigshareArticle(files: RecordFiles(), isWhole: true)
    article.files.revision = "\(number)" + ((found ?? version).map { ".v\($0)" } ?? "")
    article.files.doi = root["doi"]?.string.flatMap { DOIName($0) }
    for member in root["folder_structure"]?.object ?? [] {
      article.folders[member.name] = member.value.string
    }
    try article.read(list, base)
    article.isWhole = article.seen.count < shortestPage
    return article
  }

  /// Reads a page of the list of files.
  /// - Returns: Whether it was the last.
  package mutating func readPage(_ bytes: [UInt8], base: RequestURL) throws(DocumentError) -> Bool {
    let root = try JSONNode.parse(bytes, kind: FigshareArticle.kind)
    let known = seen.count
    try read(root, base)
    // A server that ignores the page's number sends the same files again.
    return (root.array?.count ?? 0) < RecordService.pageSize || seen.count == known
  }

  private mutating func read(_ list: JSONNode, _ base: RequestURL) throws(DocumentError) {
    let kind = FigshareArticle.kind
    guard let nodes = list.array else { throw DocumentError(kind, "\"files\" is not an array", line: list.line) }
    for node in nodes {
      guard let id = node["id"]?.integer, let name = node["name"]?.string else {
        throw DocumentError(kind, "a file has no \"id\" or no \"name\"", line: node.line)
      }
      guard seen.insert(id).inserted else { continue }
      let folder = folders[String(id)].map { $0.split(separator: "/").joined(separator: "/") } ?? ""
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      guard node["is_link_only"]?.value != .bool(true) else {
        files.leaveOut(path, "it is only a link to another site")
        continue
      }
      let size = try node["size"]?.fileSize("\"size\" of \(quote(name))", kind)
      let sums = [node["computed_md5"], node["supplied_md5"]].compactMap(\.self)
      let sum = sums.first { $0.string?.isEmpty == false }
      let digest = try sum?.fileDigest("the MD5 of \(quote(name))", kind, algorithm: "md5")
      let url = node["download_url"]?.string.flatMap { ServiceAddress.resolve($0, against: base) }
      try files.add(path, url, size: size, digest: digest)
    }
  }
}
