internal import DrayCore

/// An entry of a feed that was handled.
public struct FeedMark: Sendable, Hashable {
  /// The URL of the feed.
  public var feed: String
  public var guid: String

  public init(feed: String, guid: String) {
    self.feed = feed
    self.guid = guid
  }
}
