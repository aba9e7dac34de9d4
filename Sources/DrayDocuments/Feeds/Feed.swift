// A feed as a value: RSS 2.0, RSS 1.0, Atom, with the files of its entries.

public import DrayCore

/// One file of an entry of a feed.
public struct FeedEntry: Sendable, Equatable {
  /// What identifies the entry: its guid or id, else the URL of the file.
  public var key: String
  /// The title of the entry.
  public var title: String?
  /// Where the file is.
  public var url: RequestURL
  /// Its length according to the feed: a hint, because it is often wrong.
  public var length: Int64?
  /// Its media type.
  public var type: String?
  /// When it was published, in seconds since 1970.
  public var published: Double?

  /// Makes an entry.
  public init(
    key: String, title: String? = nil, url: RequestURL, length: Int64? = nil, type: String? = nil,
    published: Double? = nil
  ) {
    self.key = key
    self.title = title
    self.url = url
    self.length = length
    self.type = type
    self.published = published
  }
}

/// A feed.
public struct Feed: Sendable, Equatable {
  /// Its title.
  public var title: String?
  /// The files, newest first; those without a date stay where the feed has them.
  public var entries: [FeedEntry]
  /// How many entries have no file that could be fetched.
  public var without: Int

  /// The name of the kind in errors.
  static let kind = "a feed"

  /// The most bytes of an unpacked feed (P13).
  private static let longest = 64 << 20

  /// The document in the form that is kept for ``parse(_:base:)``: unpacked, and UTF-8 if the answer names a charset.
  /// - Parameter charset: the one in the answer's Content-Type.
  /// - Throws: ``DocumentError``.
  public static func kept(_ bytes: [UInt8], charset: String?) throws(DocumentError) -> [UInt8] {
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

  /// Reads a feed.
  /// - Parameter base: the URL that it came from, which its relative URLs start from.
  /// - Throws: ``DocumentError``; for a web page it names the page's feeds.
  public static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Feed {
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
