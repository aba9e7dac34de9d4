// Copies of documents, and the feed entries that were handled.

package import DrayCore

package struct StoredDocument: Sendable, Equatable {
  package var url: RequestURL
  /// The URL that answered.
  package var finalURL: RequestURL
  package var validators: Validators
  /// The time at which the document was fetched or last found unchanged, in seconds since 1970.
  package var fetchedAt: Double
  package var content: [UInt8]

  package init(url: RequestURL, finalURL: RequestURL, validators: Validators, fetchedAt: Double, content: [UInt8]) {
    self.url = url
    self.finalURL = finalURL
    self.validators = validators
    self.fetchedAt = fetchedAt
    self.content = content
  }
}

/// A feed with handled entries.
package struct StoredFeed: Sendable, Equatable {
  /// A URL of the feed, with its secrets; a feed that redirects has two URLs.
  package var url: String
  /// The number of handled entries.
  package var entries: Int

  package init(url: String, entries: Int) { (self.url, self.entries) = (url, entries) }
}
