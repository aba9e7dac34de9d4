// Documents as JSON, for the commands and the API: feeds, catalogs, the files of `dray sync`.

package import DrayCore
package import DrayDocuments
package import DrayKit

package enum DocumentJSON {
  /// Returns an entry's key without the secrets of URLs.
  package static func guid(_ entry: FeedEntry) -> String { URLRedaction.redactingURLs(in: entry.key) }

  /// - Parameter id: The job that was queued for the entry, if any.
  package static func write(_ entry: FeedEntry, of feed: FoundFeed, id: JobID? = nil, to json: inout JSONText) {
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
  package static func write(_ feed: KnownFeed, to json: inout JSONText) {
    json.object { json in
      json.field("url", feed.url.description)
      json.field("title", feed.title)
      json.field("entries", feed.entries)
      json.field("checkedAt", seconds: feed.checkedAt)
    }
  }

  package static func write(
    _ version: String, _ file: OfferedFile, of service: Catalog.Service, to json: inout JSONText
  ) {
    json.object { json in
      json.field("name", service.name)
      json.field("version", version)
      json.field("description", service.description)
      json.array("urls", file.urls) { $0.value($1.description) }
      json.field("size", file.size)
      json.field("digest", file.digest?.description)
    }
  }

  /// Writes the files of a name.
  /// - Parameter size: The sum of the known sizes; `nil` if none is known.
  package static func write(_ answer: SourceAnswer, of name: SourceName, size: Int64?, to json: inout JSONText) {
    json.object { json in
      json.field("name", SourceReference.shown(name.text))
      json.field("exactName", SourceReference.shown(answer.pinned.text))
      json.field("revision", answer.revision)
      json.field("size", size)
      json.array("files", answer.entries) { json, entry in
        json.object { json in
          json.field("path", entry.path)
          json.field("target", entry.file.name ?? entry.path)
          json.field("size", entry.file.size)
          json.field("digest", entry.file.digest?.description)
          json.field("url", entry.file.urls.first?.description)
        }
      }
      json.array("remarks", answer.remarks) { $0.value($1) }
    }
  }

  /// Writes the files of a set with the decision on each.
  /// - Parameters:
  ///   - ids: The queued jobs, by target.
  ///   - lock: The new lock; `nil` unless all files are right.
  package static func write(_ set: SyncSet, ids: [String: JobID], lock: String?, to json: inout JSONText) {
    json.object { json in
      json.array("files", set.items) { json, item in
        json.object { json in
          json.field("target", item.file.target)
          json.field("decision", item.decision.word)
          json.field("reason", item.decision.reason)
          json.field("id", ids[item.file.target])
        }
      }
      json.array("surplus", set.surplus) { $0.value($1) }
      json.field("lock", lock)
    }
  }
}
