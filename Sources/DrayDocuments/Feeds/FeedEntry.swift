public import DrayCore

/// An entry of a feed with a file to download.
public struct FeedEntry: Sendable, Equatable {
  /// The guid or id, or else the URL of the file.
  public var key: String
  public var title: String?
  public var url: RequestURL
  /// In bytes, as the feed says. Only a hint, because feeds are often wrong.
  public var length: Int64?
  public var type: String?
  /// In seconds since 1970.
  public var published: Double?

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
