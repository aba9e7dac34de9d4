// Documents and their entries as JSON: feeds, for the commands and the API.

public import DrayCore
public import DrayDocuments
public import DrayKit

/// The JSON of documents.
public enum DocumentJSON {
  /// Returns an entry's key as it is shown: without the secrets of URLs.
  public static func guid(_ entry: FeedEntry) -> String { URLRedaction.redactingURLs(in: entry.key) }

  /// Writes an entry of a feed.
  /// - Parameter id: the job that was queued for it; `nil` for none.
  public static func write(_ entry: FeedEntry, of feed: FoundFeed, id: JobID? = nil, to json: inout JSONText) {
    json.object { json in
      json.field("feed", feed.url.description)
      json.field("guid", guid(entry))
      json.field("title", entry.title)
      json.field("url", entry.url.description)
      json.field("published", seconds: entry.published)
      json.field("length", entry.length)
      json.field("mediaType", entry.type)
      json.field("known", feed.known.contains(entry.key))
      json.field("id", id)
    }
  }

  /// Writes a feed with queued entries.
  public static func write(_ feed: KnownFeed, to json: inout JSONText) {
    json.object { json in
      json.field("url", feed.url.description)
      json.field("title", feed.title)
      json.field("entries", feed.entries)
      json.field("checkedAt", seconds: feed.checkedAt)
    }
  }
}
