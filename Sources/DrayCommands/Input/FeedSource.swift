// One feed: loaded, its entries chosen, their jobs made.

internal import DrayDocuments
internal import DrayKit
internal import DrayStore

/// Which entries of a feed are wanted.
struct FeedChoice {
  private let limit: Int?
  private let pattern: LinearExpression?
  /// Whether what was queued before is queued again.
  let again: Bool

  /// Checks what was typed.
  /// - Throws: kind `usage` for what is not a regular expression.
  init(limit: Int?, match: String?, again: Bool) throws(Failure) {
    self.limit = limit
    self.again = again
    do throws(ExpressionError) {
      pattern = try match.map { (text) throws(ExpressionError) in
        // As `list --match` does.
        try LinearExpression.parse(text, ignoresCase: true)
      }
    } catch {
      throw OptionValue.bad(
        "--match", "\(OptionValue.quote(match ?? "")) is not a regular expression: \(error.message)")
    }
  }

  /// The entries that are wanted: those that match, of them the newest.
  func of(_ entries: [FeedEntry]) -> [FeedEntry] {
    let matching = entries.filter { entry in
      guard let pattern else { return true }
      return entry.title.map(pattern.matches) ?? false || pattern.matches(entry.url.string)
    }
    return limit.map { Array(matching.prefix($0)) } ?? matching
  }
}

/// What a feed has.
struct FoundFeed {
  var url: RequestURL
  var title: String?
  /// The URLs that the feed is known by: the one that was typed, and the one that answered.
  var names: [String]
  var entries: [FeedEntry]
  /// The keys of entries that were queued before.
  var known: Set<String>
  /// The number of entries with a file, wanted or not.
  var total: Int
  /// Entries that bring no file.
  var without: Int

  /// The reason why nothing in it is wanted; `nil` if something is.
  var whyNothing: String? {
    if !entries.isEmpty { return nil }
    if total > 0 { return "\(total) entr\(total == 1 ? "y" : "ies"), none matches" }
    return without > 0 ? "\(without) entr\(without == 1 ? "y" : "ies"), none with a file" : "it has no entries"
  }
}

/// A feed that was named on the command line.
struct FeedSource {
  private static let accept =
    "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

  private let template: JobTemplate
  private let choice: FeedChoice
  private let request: TransferRequest

  init(_ feed: InputList.Entry, _ own: LineOptions, _ template: JobTemplate, _ choice: FeedChoice) {
    self.template = template
    self.choice = choice
    request = template.request.request(for: feed, own)
  }

  /// Fetches and reads the feed.
  /// - Throws: kind `protocol` for what is not a feed.
  func load(_ manager: DownloadManager?) async throws(Failure) -> FoundFeed {
    let loaded = try await DownloadManager.load(
      request, accept: FeedSource.accept, copies: manager, mayBeStale: false)
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
    return FoundFeed(
      url: request.url, title: feed.title, names: names, entries: entries, known: known,
      total: feed.entries.count, without: feed.without)
  }

  /// Queues the entries that are unknown, and remembers them with their jobs.
  func queue(_ feed: FoundFeed, _ manager: DownloadManager) async throws(Failure) -> [(FeedEntry, Admission)] {
    let wanted = choice.again ? feed.entries : feed.entries.filter { !feed.known.contains($0.key) }
    let specifications = wanted.map { entry in
      var own = LineOptions()
      own.home = request.url
      var specification = template.specification(
        InputList.Entry(url: entry.url, line: 0), own, template.place)
      // What was typed in the feed's own URL is for its origin, too.
      if entry.url.origin == request.url.origin {
        specification.request.credentials = request.credentials
        specification.request.netrcUser = request.netrcUser
      }
      return specification
    }
    let marks = wanted.flatMap { entry in feed.names.map { FeedMark(feed: $0, guid: entry.key) } }
    return Array(zip(wanted, try await manager.admit(specifications, marks: Set(marks))))
  }
}
