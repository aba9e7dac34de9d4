// Copies of documents, and the feed entries that were handled.

public import DrayCore

public struct StoredDocument: Sendable, Equatable {
  public var url: RequestURL
  /// The URL that answered.
  public var finalURL: RequestURL
  public var validators: Validators
  /// The time at which the document was fetched or last found unchanged, in seconds since 1970.
  public var fetchedAt: Double
  public var content: [UInt8]

  public init(url: RequestURL, finalURL: RequestURL, validators: Validators, fetchedAt: Double, content: [UInt8]) {
    self.url = url
    self.finalURL = finalURL
    self.validators = validators
    self.fetchedAt = fetchedAt
    self.content = content
  }
}

/// A feed with handled entries.
public struct StoredFeed: Sendable, Equatable {
  /// A URL of the feed, with its secrets; a feed that redirects has two URLs.
  public var url: String
  /// The number of handled entries.
  public var entries: Int

  public init(url: String, entries: Int) { (self.url, self.entries) = (url, entries) }
}
