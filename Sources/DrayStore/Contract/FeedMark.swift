internal import DrayCore

/// An entry of a feed that was handled.
package struct FeedMark: Sendable, Hashable {
  /// The URL of the feed.
  package var feed: String
  package var guid: String

  package init(feed: String, guid: String) {
    self.feed = feed
    self.guid = guid
  }
}
