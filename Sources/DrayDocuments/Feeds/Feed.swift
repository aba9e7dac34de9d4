// Reads a feed (RSS 2.0, RSS 1.0, Atom) and the files of its entries.

package import DrayCore

package struct Feed: Sendable, Equatable {
  package var title: String?
  /// Newest first. Files without a date keep their place.
  package var entries: [FeedEntry]
  /// The number of entries without a file that can be fetched.
  package var without: Int

  static let kind = "a feed"

  /// The maximum length of an unpacked feed in bytes (P13).
  private static let longest = 64 << 20

  /// Returns the document as it is kept for ``parse(_:base:)``: unpacked, and in UTF-8 if the answer names a charset.
  /// - Parameter charset: The charset in the answer's Content-Type.
  /// - Throws: ``DocumentError``.
  package static func kept(_ bytes: [UInt8], charset: String?) throws(DocumentError) -> [UInt8] {
    let plain = try unpacked(bytes)
    guard let charset else { return plain }
    return [0xEF, 0xBB, 0xBF] + Array(try DocumentText.xml(plain, kind: kind, charset: charset).utf8)
  }

  private static func unpacked(_ bytes: [UInt8]) throws(DocumentError) -> [UInt8] {
    guard GzipData.isStart(of: bytes) else { return bytes }
    do throws(GzipError) { return try GzipData.unpacked(bytes, limit: longest) } catch {
      throw DocumentError(kind, error == .tooLong ? "it unpacks to more than 64 MiB" : "its gzip data is damaged")
    }
  }

  /// - Parameter base: The URL of the feed, to which its relative URLs refer.
  /// - Throws: ``DocumentError``. For a web page the error names the page's feeds.
  package static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Feed {
    let text = try DocumentText.xml(try unpacked(bytes), kind: kind)
    if XMLProlog(text).isHTML { throw FeedLinks.error(in: text, base: base) }
    let root = try XMLTree.parse(text, kind: kind, mending: true)
    var reader = FeedReader(base: base)
    switch root.name {
    case "rss":
      guard let channel = root.child("channel") else {
        throw DocumentError(kind, "its <channel> is missing", line: root.line)
      }
      reader.read(channel, items: channel.all("item"), in: [root, channel])
    case "rdf:RDF":
      reader.read(root.child("channel") ?? root, items: root.all("item"), in: [root])
    case "atom:feed":
      reader.read(root, items: root.all("atom:entry"), in: [root])
    default:
      throw DocumentError(kind, "its first element is <\(root.name)>, not <rss>, <feed> or <rdf:RDF>", line: root.line)
    }
    return reader.feed
  }
}
