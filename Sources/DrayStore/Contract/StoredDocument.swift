// Copies of documents, and what feeds have offered already.

public import DrayCore

/// A document as it was fetched.
public struct StoredDocument: Sendable, Equatable {
  /// The URL that was asked for.
  public var url: RequestURL
  /// The URL that answered.
  public var finalURL: RequestURL
  /// What identifies this version.
  public var validators: Validators
  /// When it was fetched or found unchanged, in seconds since 1970.
  public var fetchedAt: Double
  /// The document.
  public var content: [UInt8]

  /// Makes a copy.
  public init(url: RequestURL, finalURL: RequestURL, validators: Validators, fetchedAt: Double, content: [UInt8]) {
    self.url = url
    self.finalURL = finalURL
    self.validators = validators
    self.fetchedAt = fetchedAt
    self.content = content
  }
}

/// An entry of a feed that has been dealt with.
public struct FeedMark: Sendable, Hashable {
  /// The URL of the feed.
  public var feed: String
  /// What the entry is remembered by.
  public var guid: String

  /// Makes a mark.
  public init(feed: String, guid: String) {
    self.feed = feed
    self.guid = guid
  }
}

/// A feed of which something was queued.
public struct StoredFeed: Sendable, Equatable {
  /// A URL that it is known by; its secrets are in it. One that was redirected has two.
  public var url: String
  /// How many entries were dealt with.
  public var entries: Int

  /// Makes the record.
  public init(url: String, entries: Int) { (self.url, self.entries) = (url, entries) }
}
