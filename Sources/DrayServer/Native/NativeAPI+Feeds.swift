// The calls about feeds.

internal import DrayCore
internal import DrayDocuments
internal import DrayKit
internal import DrayWire
internal import Threads
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
    let wanted = try JobOrder(url: order.url).specification(base: settings.directory)
    let job = try judging { (clients) throws(Failure) in try clients.rule.permitted(wanted) }
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
    // The keys are compared in the form in which clients saw them.
    let entries = feed.entries.filter { chosen.contains(DocumentJSON.guid($0)) }
    try NativeAPI.checkCount(entries.count)
    guard !entries.isEmpty else {
      throw APIFailure(409, .conflict, "the feed has none of these entries", advice: "list it again")
    }
    return NativeAPI.added(try await queue(entries, of: feed, in: directory))
  }

  private func queue(
    _ entries: [FeedEntry], of feed: FoundFeed, in directory: String?
  ) async throws(APIFailure) -> [AddedAnswer] {
    let base = resolved(directory)
    let jobs = try entries.map { (entry) throws(APIFailure) in
      var job = JobSpecification(request: TransferRequest(url: entry.url), directory: base)
      job.output = feed.fileNames[entry.key]
      job.options.onConflict = .rename
      return try prepared(job)
    }
    return try await admit(jobs, key: nil, marks: feed.marks(of: entries))
  }

  // MARK: Subscriptions

  func shownSubscriptions() async throws(APIFailure) -> WebResponse {
    NativeAPI.answer(try await trying { () async throws(Failure) in try await subscriptions.all() })
  }

  /// Subscribes to a feed. The feed is read before the call is answered, so that a wrong URL is refused at once.
  func subscribe(_ order: FeedSubscription) async throws(APIFailure) -> WebResponse {
    let base = resolved(order.directory)
    guard settings.rule.directories.place(base) != nil else { throw NativeAPI.forbidden(directory: base) }
    let known = try await trying { () async throws(Failure) in try await subscriptions.all() }
    var list = known
    list.put(order)
    guard var new = list.first(where: { ($0.url, $0.match) == (order.url, order.match) }) else { throw .bad("no feed") }
    let feed = try await load(FeedOrder(url: new.url, match: new.match))
    if new.seen == nil { _ = new.take(feed.entries.map(\.key), at: WallClock.now()) }
    let read = new
    return NativeAPI.answer(
      try await trying { () async throws(Failure) in try await subscriptions.change { $0.put(read, isRead: true) } })
  }

  func unsubscribe(_ id: Int64) async throws(APIFailure) -> WebResponse {
    let known = try await trying { () async throws(Failure) in try await subscriptions.all() }
    guard known.contains(where: { $0.id == id }) else {
      throw APIFailure(404, .notFound, "no such subscription: \(id)")
    }
    return NativeAPI.answer(
      try await trying { () async throws(Failure) in
        try await subscriptions.change { $0.removeAll { $0.id == id } }
      })
  }

  /// Reads a feed, and queues its new entries.
  func poll(_ subscription: FeedSubscription, now: Double = WallClock.now()) async {
    _ = try? await context.run { () async throws(Failure) in await self.pollNow(subscription, now) }
  }

  private func pollNow(_ subscription: FeedSubscription, _ now: Double) async {
    var read = subscription
    do throws(APIFailure) {
      let feed = try await load(FeedOrder(url: read.url, match: read.match))
      let new = read.take(feed.entries.map(\.key), at: now).subtracting(feed.known)
      let entries = feed.entries.filter { new.contains($0.key) }
      if !entries.isEmpty { read.added += try await queue(entries, of: feed, in: read.directory).count }
    } catch {
      // The entries that could not be queued count as new at the next reading.
      read = subscription
      (read.checkedAt, read.problem) = (now, error.message)
    }
    let result = read
    _ = try? await subscriptions.change { list in
      // The subscription may have ended while the feed was read.
      if let index = list.firstIndex(where: { $0.id == result.id }) { list[index] = result }
    }
  }

  private static func answer(_ subscriptions: [FeedSubscription]) -> WebResponse {
    object { json in
      json.array("subscriptions", subscriptions) { json, one in
        json.object { json in
          json.field("id", one.id)
          json.field("url", ShownURL.text(one.url, reveals: false))
          json.field("match", one.match)
          json.field("directory", one.directory)
          json.field("hours", one.hours)
          json.field("added", one.added)
          json.field("checkedAt", seconds: one.checkedAt)
          json.field("problem", one.problem)
        }
      }
    }
  }
}
