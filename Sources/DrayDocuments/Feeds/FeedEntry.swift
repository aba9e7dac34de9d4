package import DrayCore

/// An entry of a feed with a file to download.
package struct FeedEntry: Sendable, Equatable {
  /// The guid or id, or else the URL of the file.
  package var key: String
  package var title: String?
  package var url: RequestURL
  /// In bytes, as the feed says. Only a hint, because feeds are often wrong.
  package var length: Int64?
  package var type: String?
  /// In seconds since 1970.
  package var published: Double?

  package init(
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
