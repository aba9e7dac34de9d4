// Index pages: what nginx, Apache, lighttpd, Caddy, Python and many others make of a directory.

internal import DrayCore

/// Reads index pages by their links: what leads below the page itself is in the directory.
enum HTMLIndex {
  static let kind = "an index of a directory"

  /// How titles of index pages begin, in lower case: one may be of an empty directory, without any link. Else there is one
  /// upwards, written as those pages write it.
  private static let titles = ["index of ", "directory listing for ", "listing directory "]

  /// The entries of a page. Links elsewhere, upwards, to the page itself, and with a query (they sort the page) are
  /// none.
  /// - Parameters:
  ///   - directory: the directory; its path ends with a slash.
  ///   - page: the URL of the page, where that has no slash.
  ///   - isProved: whether the page must prove by itself that it lists this directory: a page may be a file, too.
  /// - Throws: ``DocumentError`` for a page that does not look like an index.
  static func parse(
    _ bytes: [UInt8], of directory: RequestURL, at page: RequestURL? = nil, isProved: Bool = false
  ) throws(DocumentError) -> Listing {
    let scanner = HTMLScanner(bytes)
    let address = page ?? directory
    let base = scanner.base.flatMap { DocumentURL.resolve($0, against: address) } ?? address
    var listing = Listing()
    var (leadsUp, leadsToParents, leadsAway) = (false, false, false)
    for link in scanner.links {
      guard let url = DocumentURL.resolve(link.target, against: base) else { continue }
      if url.isBelow(directory) {
        listing.add(ListedEntry(url, row: link.row, isOpen: !url.path.hasSuffix("/")))
      } else if ["..", "../"].contains(link.target) {
        leadsUp = true
      } else if directory.isBelow(url.withoutQuery.asDirectory) {
        leadsToParents = true
      } else if url.withoutQuery.asDirectory != directory {
        leadsAway = true
      }
    }
    let title = scanner.title.lowercased()
    let isTitled = titles.contains(where: title.hasPrefix)
    guard !listing.entries.isEmpty || leadsUp || isTitled else {
      throw DocumentError(kind, "this page has no link to anything below itself")
    }
    guard isProved else { return listing }
    let isOfLinks = !listing.entries.isEmpty && !leadsAway && (leadsUp || leadsToParents)
    guard isOfLinks || isTitled && OpenLink.isNamed(directory, in: title) else {
      throw DocumentError(kind, "this page may be a file")
    }
    return listing
  }
}
