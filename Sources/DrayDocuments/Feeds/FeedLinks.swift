// Finds the feeds that a web page names, if the page came instead of a feed.

internal import DrayCore

enum FeedLinks {
  /// Feeds to name in an error.
  private static let limit = 3

  static func error(in page: String, base: RequestURL?) -> DocumentError {
    let found = feeds(in: page, base: base)
    guard !found.isEmpty else { return DocumentError(Feed.kind, "it is a web page without a link to a feed") }
    let list = found.map(\.description).joined(separator: " ")
    return DocumentError(Feed.kind, "it is a web page; its feed is at \(list)")
  }

  /// Returns the URLs of `<link rel=alternate type=application/rss+xml>` and similar, without an HTML parser.
  static func feeds(in page: String, base: RequestURL?) -> [RequestURL] {
    var found: [RequestURL] = []
    var rest = Array(page.utf8.prefix(1 << 20))[...]
    while found.count < limit, let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(mark + 1)...]
      guard rest.prefix(4).elementsEqual("link".utf8, by: { $0 | 0x20 == $1 }) else { continue }
      rest = rest.dropFirst(4)
      let attributes = HTMLTag.attributes(&rest, named: ["rel", "type", "href"]).mapValues {
        String(decoding: $0, as: UTF8.self)
      }
      let relations = attributes["rel"]?.lowercased().split { $0.isWhitespace } ?? []
      let type = attributes["type"]?.lowercased() ?? ""
      guard relations.contains("alternate"), type.contains("rss+xml") || type.contains("atom+xml"),
        let url = attributes["href"].flatMap({ DocumentURL.resolve($0.replacing("&amp;", with: "&"), against: base) }),
        !found.contains(url)
      else { continue }
      found.append(url)
    }
    return found
  }
}
