// Copies of documents, and the feed entries seen so far.

public import DrayCore

public struct StoredDocument: Sendable, Equatable {
  public var url: RequestURL
  /// The URL that answered.
  public var finalURL: RequestURL
  public var validators: Validators
  /// When it was fetched or last found unchanged, in seconds since 1970.
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

/// A feed with queued entries.
public struct StoredFeed: Sendable, Equatable {
  /// A URL of the feed, with its secrets. A redirected feed has two.
  public var url: String
  /// Handled entries.
  public var entries: Int

  public init(url: String, entries: Int) { (self.url, self.entries) = (url, entries) }
}
