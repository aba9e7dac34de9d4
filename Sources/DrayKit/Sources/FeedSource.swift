// Loads feeds, chooses entries, and remembers the entries that were queued.

package import DrayCore
package import DrayDocuments
package import DrayStore

/// The choice of entries that are wanted from a feed.
package struct FeedChoice: Sendable {
  private let limit: Int?
  private let pattern: RegularExpression?

  /// Creates a choice.
  /// - Parameters:
  ///   - limit: The number of newest entries to choose from; `nil` for all.
  ///   - match: A case-insensitive regular expression for titles and URLs.
  /// - Throws: `ExpressionError` for an invalid expression.
  package init(limit: Int? = nil, match: String? = nil) throws(ExpressionError) {
    self.limit = limit
    pattern = try match.map { (text) throws(ExpressionError) in try RegularExpression(text) }
  }

  /// Returns the newest entries that match.
  package func of(_ entries: [FeedEntry]) -> [FeedEntry] {
    let matching = entries.filter { entry in
      guard let pattern else { return true }
      return entry.title.map(pattern.matches) ?? false || pattern.matches(entry.url.string)
    }
    return limit.map { Array(matching.prefix($0)) } ?? matching
  }
}

/// A feed that was fetched.
package struct FoundFeed: Sendable {
  /// The requested URL.
  package var url: RequestURL
  /// The title of the feed.
  package var title: String?
  /// The URLs under which the feed is remembered: the requested URL and the URL that answered.
  package var names: [String]
  /// The chosen entries, newest first.
  package var entries: [FeedEntry]
  /// The keys of the chosen entries that were queued before.
  package var known: Set<String>
  /// The failed or interrupted jobs of entries that were queued before, by the entry's key.
  package var ended: [String: (id: JobID, state: JobState)] = [:]
  /// The file names for entries that would otherwise have the same name (`Feed.fileNames`), by key.
  package var fileNames: [String: String] = [:]
  /// The number of entries with a file, chosen or not.
  package var total: Int
  /// The number of entries without a file to download.
  package var without: Int

  /// The reason why no entry is chosen; `nil` if at least one is.
  package var whyNothing: String? {
    if !entries.isEmpty { return nil }
    if total > 0 { return "\(total) entr\(total == 1 ? "y" : "ies"), none matches" }
    return without > 0 ? "\(without) entr\(without == 1 ? "y" : "ies"), none with a file" : "no entries"
  }

  /// The number of entries that were never queued and are older than the newest queued entry; for a feed that was never
  /// queued from, the number of all entries.
  package var backlog: Int {
    let first = entries.firstIndex { known.contains($0.key) } ?? 0
    return entries[first...].count { !known.contains($0.key) }
  }

  /// Returns the marks by which `entries` are remembered. Add these marks together with the entries' jobs.
  package func marks(of entries: [FeedEntry]) -> Set<FeedMark> {
    Set(entries.flatMap { entry in names.map { FeedMark(feed: $0, guid: entry.key) } })
  }
}

/// A feed whose entries were queued, according to the job store.
package struct KnownFeed: Sendable {
  /// The requested URL.
  package var url: RequestURL
  /// The title of the feed, if the stored copy can be read.
  package var title: String?
  /// The number of queued entries.
  package var entries: Int
  /// The time of the last fetch, in seconds since 1970.
  package var checkedAt: Double
}

extension DownloadManager {
  private static let acceptedFeeds =
    "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

  /// Fetches a feed, and stores a copy.
  /// - Parameters:
  ///   - request: A GET of the feed.
  ///   - choice: The wanted entries.
  ///   - manager: The manager whose store has the copy and the queued entries; `nil` for none.
  /// - Throws: Kind `protocol` for a document that is not a feed.
  package static func loadFeed(
    _ request: TransferRequest, _ choice: FeedChoice, copies manager: DownloadManager?
  ) async throws(Failure) -> FoundFeed {
    let loaded = try await loadDocument(request, accept: acceptedFeeds, copies: manager, mayBeStale: false)
    var document = loaded.document
    let feed: Feed
    do throws(DocumentError) {
      document.content = try Feed.kept(document.content, charset: loaded.charset)
      feed = try Feed.parse(document.content, base: document.finalURL)
    } catch {
      throw error.failure(request.url.description, .protocolViolation)
    }
    try await manager?.jobs.keep(document)
    let entries = choice.of(feed.entries)
    let names = [request.url.string, document.finalURL.string]
    let known = try await manager?.jobs.known(entries.map(\.key), in: names) ?? []
    var found = FoundFeed(
      url: request.url, title: feed.title, names: names, entries: entries, known: known,
      total: feed.entries.count, without: feed.without)
    found.fileNames = feed.fileNames()
    if let manager, !known.isEmpty { found.ended = try await manager.ended(entries.filter { known.contains($0.key) }) }
    return found
  }

  /// Returns the newest jobs of entries that have failed or were interrupted, by key.
  private func ended(_ entries: [FeedEntry]) async throws(Failure) -> [String: (id: JobID, state: JobState)] {
    let states: Set<JobState> = [.failed, .interrupted]
    guard try await !jobs.present(among: states).isEmpty else { return [:] }
    let keys = Dictionary(entries.map { ($0.url.string, $0.key) }, uniquingKeysWith: { first, _ in first })
    var result: [String: (id: JobID, state: JobState)] = [:]
    do {
      try await jobs.forEachSummary(states: states) { job in
        if let key = keys[job.url] { result[key] = (job.id, job.state) }
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      return [:]
    }
    return result
  }

  /// Queues failed and interrupted jobs of a feed again; interrupted jobs keep their bytes.
  /// - Returns: The jobs.
  package func queueEnded(of feed: FoundFeed) async throws(Failure) -> [JobID] {
    guard !feed.ended.isEmpty else { return [] }
    func ids(_ state: JobState) -> [JobID] { feed.ended.values.filter { $0.state == state }.map(\.id).sorted() }
    let results = try await jobs.retry(ids(.failed), with: [:]) + jobs.resume(ids(.interrupted))
    return results.compactMap { if case .done = $0.result { $0.id } else { nil } }.sorted()
  }

  /// Returns the feeds whose entries were queued.
  package func knownFeeds() async throws(Failure) -> [KnownFeed] {
    var feeds: [KnownFeed] = []
    for feed in try await jobs.feeds() {
      // A feed that redirects has two URLs; only the requested one has a copy.
      guard let url = try? RequestURL.parse(feed.url).url, let copy = try await jobs.document(url) else { continue }
      let title = (try? Feed.parse(copy.content, base: copy.finalURL))?.title
      feeds.append(KnownFeed(url: copy.url, title: title, entries: feed.entries, checkedAt: copy.fetchedAt))
    }
    return feeds
  }
}
