// A feed as a value: RSS 2.0, RSS 1.0, Atom, with the files that its entries bring.

public import DrayCore

/// One file that an entry of a feed brings.
public struct FeedEntry: Sendable, Equatable {
  /// What the entry is remembered by: its guid or id, else the URL of the file.
  public var key: String
  /// The title of the entry.
  public var title: String?
  /// Where the file is.
  public var url: RequestURL
  /// Its length as the feed has it: a hint, as many feeds lie.
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
  /// The files, newest first; those without a date stand where the feed has them.
  public var entries: [FeedEntry]
  /// How many entries bring no file that could be fetched.
  public var without: Int

  /// The name of the kind in errors.
  static let kind = "a feed"

  /// Reads a feed.
  /// - Parameter base: the URL that it came from, which its relative URLs start from.
  /// - Throws: ``DocumentError``; for a web page it names the feeds that the page names.
  public static func parse(_ bytes: [UInt8], base: RequestURL?) throws(DocumentError) -> Feed {
    let text = try DocumentText.xml(bytes, kind: kind)
    if XMLProlog(text).isHTML { throw FeedLinks.error(in: text, base: base) }
    let root = try XMLTree.parse(text, kind: kind)
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
