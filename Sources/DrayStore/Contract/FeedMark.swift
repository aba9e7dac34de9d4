internal import DrayCore

/// A feed entry that has been handled.
public struct FeedMark: Sendable, Hashable {
  /// The URL of the feed.
  public var feed: String
  /// The identifier of the entry.
  public var guid: String

  /// Creates a mark.
  public init(feed: String, guid: String) {
    self.feed = feed
    self.guid = guid
  }
}
