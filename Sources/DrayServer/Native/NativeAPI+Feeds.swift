// Calls about feeds.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayStore
internal import DrayWire

extension NativeAPI {
  private static let accept =
    "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

  /// A feed as it was read just now.
  private struct Found {
    var url: RequestURL
    /// The URLs that it is known by.
    var names: [String]
    var entries: [FeedEntry]
    var known: Set<String>
  }

  func feeds() async throws(APIFailure) -> WebResponse {
    let feeds = try await trying { () async throws(Failure) in
      var feeds: [(StoredFeed, StoredDocument, Feed?)] = []
      for feed in try await manager.jobs.feeds() {
        // Of the two names that one has, the copy goes by the one that was asked for.
        guard let url = try? RequestURL.parse(feed.url).url, let copy = try await manager.jobs.document(url) else {
          continue
        }
        feeds.append((feed, copy, try? Feed.parse(copy.content, base: copy.finalURL)))
      }
      return feeds
    }
    return NativeAPI.object { json in
      json.array("feeds", feeds) { json, one in
        json.object { json in
          json.field("url", one.1.url.description)
          json.field("title", one.2?.title)
          json.field("entries", one.0.entries)
          json.field("checkedAt", seconds: one.1.fetchedAt)
        }
      }
    }
  }

  private func load(_ order: FeedOrder) async throws(APIFailure) -> Found {
    let choice: RegularExpression?
    do throws(ExpressionError) {
      choice = try order.match.map(RegularExpression.init)
    } catch {
      throw .bad("match is not a regular expression: \(error.message)")
    }
    let job = try permitted(try JobOrder(url: order.url).specification(base: settings.directory))
    let loaded = try await trying { () async throws(Failure) in
      var loaded = try await DownloadManager.loadDocument(
        job.request, accept: NativeAPI.accept, copies: manager, mayBeStale: false)
      do throws(DocumentError) {
        loaded.document.content = try Feed.kept(loaded.document.content, charset: loaded.charset)
      } catch {
        throw error.failure(job.request.url.description, .protocolViolation)
      }
      try await manager.jobs.keep(loaded.document)
      return loaded
    }
    var entries: [FeedEntry]
    do throws(DocumentError) {
      entries = try Feed.parse(loaded.document.content, base: loaded.document.finalURL).entries
    } catch {
      throw refused(error.failure(job.request.url.description, .protocolViolation))
    }
    if let choice {
      entries.removeAll { entry in
        !(entry.title.map(choice.matches) ?? false) && !choice.matches(entry.url.string)
      }
    }
    if let limit = order.limit { entries = Array(entries.prefix(limit)) }
    let (names, keys) = ([job.request.url.string, loaded.document.finalURL.string], entries.map(\.key))
    let known = try await trying { () async throws(Failure) in try await manager.jobs.known(keys, in: names) }
    return Found(url: job.request.url, names: names, entries: entries, known: known)
  }

  func read(_ order: FeedOrder) async throws(APIFailure) -> WebResponse {
    let feed = try await load(order)
    return NativeAPI.object { json in
      json.array("entries", feed.entries) { json, entry in
        json.object { json in
          json.field("feed", feed.url.description)
          json.field("guid", URLRedaction.redactingURLs(in: entry.key))
          json.field("title", entry.title)
          json.field("url", entry.url.description)
          json.field("published", seconds: entry.published)
          json.field("length", entry.length)
          json.field("mediaType", entry.type)
          json.field("known", feed.known.contains(entry.key))
          json.field("id", JobID?.none)
        }
      }
    }
  }

  func queue(_ order: FeedOrder, _ guids: [String], _ directory: String?) async throws(APIFailure) -> WebResponse {
    let feed = try await load(order)
    let chosen = Set(guids)
    // By the keys as they were shown.
    let entries = feed.entries.filter { chosen.contains(URLRedaction.redactingURLs(in: $0.key)) }
    try NativeAPI.checkCount(entries.count)
    guard !entries.isEmpty else {
      throw APIFailure(409, .conflict, "the feed has none of these entries", advice: "list it again")
    }
    let base = JobOrder.directory(directory, base: settings.directory)
    let jobs = try entries.map { (entry) throws(APIFailure) in
      var job = JobSpecification(request: TransferRequest(url: entry.url), directory: base)
      job.options.onConflict = .rename
      return try prepared(job)
    }
    let marks = entries.flatMap { entry in feed.names.map { FeedMark(feed: $0, guid: entry.key) } }
    return NativeAPI.added(try await admit(jobs, key: nil, marks: Set(marks)))
  }
}
