// Index pages: what nginx, Apache, lighttpd, Caddy, Python and many others make of a directory.

internal import DrayCore

/// Reads index pages by their links: what leads below the page itself is in the directory.
enum HTMLIndex {
  static let kind = "an index of a directory"

  /// How titles of index pages begin, in lower case: one may be of an empty directory, without any link. Else there is one
  /// upwards, written as those pages write it.
  private static let titles = ["index of ", "directory listing for "]

  /// The entries of a page. Links elsewhere, upwards, to the page itself, and with a query (they sort the page) are
  /// none.
  /// - Parameter directory: where the page is from; its path ends with a slash.
  /// - Throws: ``DocumentError`` for a page that does not look like an index.
  static func parse(_ bytes: [UInt8], of directory: RequestURL) throws(DocumentError) -> Listing {
    let page = HTMLScanner(bytes)
    let base = page.base.flatMap { DocumentURL.resolve($0, against: directory) } ?? directory
    var listing = Listing()
    var leadsUp = false
    for link in page.links {
      guard let url = DocumentURL.resolve(link.target, against: base) else { continue }
      if url.isBelow(directory) {
        listing.add(ListedEntry(url, row: link.row))
      } else if ["..", "../"].contains(link.target) {
        leadsUp = true
      }
    }
    let title = page.title.lowercased()
    guard !listing.entries.isEmpty || leadsUp || titles.contains(where: title.hasPrefix) else {
      throw DocumentError(kind, "this page has no link to anything below itself")
    }
    return listing
  }
}
