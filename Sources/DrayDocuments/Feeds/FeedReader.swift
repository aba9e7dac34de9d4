// Turns the elements of a feed into its files: enclosures, links, media.

internal import DrayCore

struct FeedReader {
  private let base: RequestURL?
  private var title: String?
  private var entries: [FeedEntry] = []
  private var without = 0
  private var seen: Set<String> = []

  init(base: RequestURL?) { self.base = base }

  var feed: Feed { Feed(title: title, entries: FeedReader.newestFirst(entries), without: without) }

  /// Reads the items of a channel.
  /// - Parameters:
  ///   - channel: The element with the title of the feed.
  ///   - outer: The elements around the items, outermost first; each may change the base URL.
  mutating func read(_ channel: XMLNode, items: [XMLNode], in outer: [XMLNode]) {
    title = channel.text(of: "title", "atom:title")
    let start = outer.reduce(base) { $1.base(on: $0) }
    for item in items {
      let base = item.base(on: start)
      var files = enclosures(item, base)
      if files.isEmpty { files = FeedMedia.best(of: item).flatMap { file($0, url: "url", base) }.map { [$0] } ?? [] }
      if files.isEmpty { without += 1 }
      append(files, of: item)
    }
  }

  private mutating func append(_ files: [FeedEntry], of item: XMLNode) {
    // A long guid is ignored, because each file of the entry would copy it (P13).
    let guid = (item.text(of: "guid", "atom:id") ?? item.value("rdf:about")).flatMap {
      $0.utf8.count <= 1024 ? $0 : nil
    }
    let date = item.text(of: "pubDate", "atom:published", "dc:date", "atom:updated", "atom:issued", "atom:modified")
    for (index, file) in files.enumerated() {
      var entry = file
      // Other files of an entry have their own keys, because they may appear later than the first.
      entry.key = guid.map { index == 0 ? $0 : "\($0) \(file.url.string)" } ?? file.url.string
      entry.title = item.text(of: "title", "atom:title", "itunes:title", "media:title")
      entry.published = date.flatMap(FeedDate.parse)
      if seen.insert(guid == nil ? file.url.normal : entry.key).inserted { entries.append(entry) }
    }
  }

  private func enclosures(_ item: XMLNode, _ base: RequestURL?) -> [FeedEntry] {
    item.children.compactMap { node in
      switch node.name {
      case "enclosure": file(node, url: "url", base)
      case "enc:enclosure": file(node, url: "rdf:resource", base) ?? file(node, url: "resource", base)
      case "atom:link" where isEnclosure(node.value("rel")): file(node, url: "href", base)
      default: nil
      }
    }
  }

  /// Whether a relation is `enclosure`, which may also be written as a URI (RFC 4287 §4.2.7.2).
  private func isEnclosure(_ relation: String?) -> Bool {
    let relation = relation?.lowercased()
    return relation == "enclosure" || relation == "http://www.iana.org/assignments/relation/enclosure"
  }

  private func file(_ node: XMLNode, url attribute: String, _ base: RequestURL?) -> FeedEntry? {
    guard let text = node.value(attribute), !text.unicodeScalars.contains("\u{FFFD}"),
      let url = DocumentURL.resolve(text, against: node.base(on: base))
    else { return nil }
    let length = (node.value("length") ?? node.value("fileSize") ?? node.value("enc:length")).flatMap { Int64($0) }
    return FeedEntry(
      key: url.string, url: url, length: length.flatMap { $0 > 0 ? $0 : nil },
      type: node.value("type") ?? node.value("enc:type"))
  }

  /// Entries without a date keep their place after the previous one.
  private static func newestFirst(_ entries: [FeedEntry]) -> [FeedEntry] {
    var last = Double.infinity
    let dated = entries.enumerated().map { index, entry in
      last = entry.published ?? last
      return (entry: entry, date: last, index: index)
    }
    return dated.sorted { ($0.date, -$0.index) > ($1.date, -$1.index) }.map(\.entry)
  }
}

/// Media RSS (https://www.rssboard.org/media-rss).
enum FeedMedia {
  /// The media types of pages that play a file.
  private static let players: Set<String> = ["application/x-shockwave-flash", "text/html"]

  /// The default object, otherwise the largest. An image counts only if there is nothing else.
  static func best(of item: XMLNode) -> XMLNode? {
    let groups = item.all("media:group")
    let all = (item.all("media:content") + groups.flatMap { $0.all("media:content") }).filter { node in
      node.value("url") != nil && !players.contains(node.value("type")?.lowercased() ?? "")
    }
    let media = all.filter { !isImage($0) }
    return (media.isEmpty ? all : media).enumerated().max { rank($0) < rank($1) }?.element
  }

  private static func isImage(_ node: XMLNode) -> Bool {
    node.value("medium")?.lowercased() == "image" || node.value("type")?.lowercased().hasPrefix("image/") ?? false
  }

  /// The default object is first, then the larger ones; among equal ones, the first in the document.
  private static func rank(_ node: (offset: Int, element: XMLNode)) -> (Int, Double, Double, Int) {
    func number(_ name: String) -> Double { node.element.value(name).flatMap { Double($0) } ?? 0 }
    let isDefault = node.element.value("isDefault")?.lowercased() == "true" ? 1 : 0
    return (isDefault, number("bitrate"), number("fileSize"), -node.offset)
  }
}
