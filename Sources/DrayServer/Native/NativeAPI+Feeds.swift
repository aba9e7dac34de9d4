// Calls about feeds.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayWire
internal import WebServer

extension NativeAPI {
  func feeds() async throws(APIFailure) -> WebResponse {
    let feeds = try await trying { () async throws(Failure) in try await manager.knownFeeds() }
    return NativeAPI.object { json in
      json.array("feeds", feeds) { json, feed in DocumentJSON.write(feed, to: &json) }
    }
  }

  private func load(_ order: FeedOrder) async throws(APIFailure) -> FoundFeed {
    let choice: FeedChoice
    do throws(ExpressionError) {
      choice = try FeedChoice(limit: order.limit, match: order.match)
    } catch {
      throw .bad("match is not a regular expression: \(error.message)")
    }
    let job = try permitted(try JobOrder(url: order.url).specification(base: settings.directory))
    return try await trying { () async throws(Failure) in
      try await DownloadManager.loadFeed(job.request, choice, copies: manager)
    }
  }

  func read(_ order: FeedOrder) async throws(APIFailure) -> WebResponse {
    let feed = try await load(order)
    return NativeAPI.object { json in
      json.array("entries", feed.entries) { json, entry in DocumentJSON.write(entry, of: feed, to: &json) }
    }
  }

  func queue(_ order: FeedOrder, _ guids: [String], _ directory: String?) async throws(APIFailure) -> WebResponse {
    let feed = try await load(order)
    let chosen = Set(guids)
    // Compare the keys as they were shown.
    let entries = feed.entries.filter { chosen.contains(DocumentJSON.guid($0)) }
    try NativeAPI.checkCount(entries.count)
    guard !entries.isEmpty else {
      throw APIFailure(409, .conflict, "the feed has none of these entries", advice: "list it again")
    }
    let base = resolved(directory)
    let jobs = try entries.map { (entry) throws(APIFailure) in
      var job = JobSpecification(request: TransferRequest(url: entry.url), directory: base)
      job.options.onConflict = .rename
      return try prepared(job)
    }
    return NativeAPI.added(try await admit(jobs, key: nil, marks: feed.marks(of: entries)))
  }
}
