// Reads the index pages that nginx, Apache, lighttpd, Caddy, Python and many others make for directories.

internal import DrayCore

/// Reads index pages by their links: a link to a URL below the page is an entry of the directory.
enum HTMLIndex {
  static let kind = "an index of a directory"

  /// The beginnings of index titles, lowercase. A title shows that a page is an index even if the directory is empty,
  /// without a link. On a page without a title, a link to `..` shows that.
  private static let titles = ["index of ", "directory listing for ", "listing directory "]

  /// Returns the entries of a page. Links elsewhere, upwards, to the page itself, or with a query are no entries. A
  /// link that looks like an entry, but has a query or leads to another server, is counted.
  /// - Parameters:
  ///   - directory: The directory, whose path ends with a slash.
  ///   - page: The URL of the page, if it differs from the directory's.
  ///   - isProved: Whether the page itself must prove that it lists this directory, because it may be a file.
  /// - Throws: ``DocumentError`` if the page does not look like an index.
  static func parse(
    _ bytes: [UInt8], of directory: RequestURL, at page: RequestURL? = nil, isProved: Bool = false
  ) throws(DocumentError) -> Listing {
    let scanner = HTMLScanner(bytes)
    let address = page ?? directory
    let base = scanner.base.flatMap { DocumentURL.resolve($0, against: address) } ?? address
    var listing = Listing()
    var (leadsUp, leadsToParents, leadsAway) = (false, false, false)
    var dropped: [(RequestURL, DroppedEntry)] = []
    for link in scanner.links {
      guard let url = DocumentURL.resolve(link.target, against: base) else { continue }
      let folder = url.withoutQuery.asDirectory
      switch url.place(in: directory) {
      case .entry(let url):
        listing.add(ListedEntry(url, row: link.row, isOpen: !url.path.hasSuffix("/")))
        continue
      case .dropped(let kind) where kind != .outside: dropped.append((folder, kind))
      default: break
      }
      if ["..", "../"].contains(link.target) {
        leadsUp = true
      } else if case .entry = directory.place(in: folder) {
        leadsToParents = true
      } else if folder.place(in: directory) != .directory, !link.isIcon {
        leadsAway = true
      }
    }
    // In a root directory, a link to any other host would look like an entry, so such links are not counted.
    let entries = Set(listing.entries.map(\.url.asDirectory.placeKey))
    for (url, kind) in dropped where kind == .query ? !entries.contains(url.placeKey) : directory.path != "/" {
      listing.drop(kind)
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
