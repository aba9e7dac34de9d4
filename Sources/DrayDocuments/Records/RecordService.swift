// Which service keeps the record that a DOI leads to, and what it is asked.

package import DrayCore

/// A kind of service for research data, with the record.
///
/// The address that a DOI leads to says which kinds are possible, and so does the address of the page where redirects
/// end. They are asked in this order, and the first that knows the record has answered:
///
/// 1. Dataverse: the address has `persistentId=`.
/// 2. figshare, and the portals that it runs under other names: `/articles/…/ID` or `/articles/…/ID/VERSION`.
/// 3. InvenioRDM (Zenodo and others): `/records/ID` or `/record/ID`.
///
/// If none has answered, the page itself may name its files (``LandingLinks``). A server whose addresses have none of
/// these forms gets no other request than the one for its page. There are at most that page, one call for each kind and
/// address, and the lists of files.
package enum RecordService: Sendable, Equatable {
  /// A dataset; with `isFile` a single file with its own DOI.
  case dataverse(id: String, isFile: Bool)
  case figshare(article: String, version: Int64?)
  case invenio(record: String)

  /// Returns the possible services, in the order to try them.
  /// - Parameter page: The URL of the page that the DOI leads to.
  package static func possible(at page: RequestURL, _ doi: DOIName) -> [RecordService] {
    var found: [RecordService] = []
    if let id = persistentID(page.query) {
      found.append(.dataverse(id: id, isFile: page.path.hasSuffix("/file.xhtml")))
    }
    let parts = page.path.split(separator: "/").map { String($0) }
    if let index = parts.lastIndex(of: "articles"), let article = article(parts[(index + 1)...]) {
      found.append(.figshare(article: article.id, version: article.version ?? version(doi)))
    }
    if let index = parts.lastIndex(where: { $0 == "records" || $0 == "record" }), index + 1 < parts.count {
      let id = parts[index + 1]
      if isPlain(id) { found.append(.invenio(record: id)) }
    }
    return found
  }

  /// Returns the URL of the first call.
  /// - Parameter page: The URL of the page that the DOI leads to.
  package func call(_ page: RequestURL) -> RequestURL? {
    switch self {
    case .dataverse(let id, let isFile):
      url(page, "/api/\(isFile ? "files" : "datasets")/:persistentId/?persistentId=\(PercentText.encoded(id))")
    case .figshare: url(page, articlePath)
    case .invenio(let record): url(page, "/api/records/\(record)")
    }
  }

  /// Returns the URL of a page of the files of an article on figshare.
  /// - Parameter number: From 1.
  package func filesCall(_ page: RequestURL, _ number: Int) -> RequestURL? {
    url(page, "\(articlePath)/files?page_size=\(RecordService.pageSize)&page=\(number)")
  }

  /// The number of files to request from figshare at once, which is its maximum.
  package static let pageSize = 1000

  private var articlePath: String {
    guard case .figshare(let article, let version) = self else { return "" }
    return "/v2/articles/\(article)" + (version.map { "/versions/\($0)" } ?? "")
  }

  private func url(_ page: RequestURL, _ path: String) -> RequestURL? {
    if ServiceAddress.isLocal(page.host) { return try? RequestURL.parse("\(page.origin)\(path)").url }
    // All portals of figshare have one API.
    if case .figshare = self { return try? RequestURL.parse("https://api.figshare.com\(path)").url }
    // Old DOIs lead to http, and what an API says over http proves nothing.
    let origin = page.scheme == "http" ? "https://\(page.host)" : page.origin.description
    return try? RequestURL.parse(origin + path).url
  }

  private static func persistentID(_ query: String?) -> String? {
    for pair in (query ?? "").split(separator: "&") where pair.hasPrefix("persistentId=") {
      let value = PercentText.decoded(Array(pair.dropFirst("persistentId=".count).utf8))
      let text = String(decoding: value, as: UTF8.self)
      if text.hasPrefix("doi:"), DOIName(text) != nil { return text }
    }
    return nil
  }

  /// Reads `TYPE/TITLE/ID/VERSION` and shorter forms. A title may be a number; an ID has at least five digits.
  private static func article(_ parts: ArraySlice<String>) -> (id: String, version: Int64?)? {
    func isNumber(_ text: String) -> Bool {
      !text.isEmpty && text.utf8.count <= 18 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard let last = parts.last, isNumber(last) else { return nil }
    guard last.utf8.count < 5 else { return (last, nil) }
    guard let id = parts.dropLast().last, isNumber(id) else { return nil }
    return (id, Int64(last))
  }

  /// Returns the version in a DOI of figshare: 3 in `10.6084/m9.figshare.123.v3`.
  private static func version(_ doi: DOIName) -> Int64? {
    guard let last = doi.doi.split(separator: ".").last, last.hasPrefix("v") else { return nil }
    return Int64(last.dropFirst()).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func isPlain(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 64
      && id.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }
}
