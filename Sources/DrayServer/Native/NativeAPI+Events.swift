// Sends the stream of events to one client.

internal import DrayCore
internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import Threads
internal import WebServer

extension NativeAPI {
  func events(_ cursor: String?) async throws(APIFailure) -> WebResponse {
    let present = try await trying(feed.cursor)
    // An invalid position comes from another service, so the client must load everything again.
    let start = cursor.map { EventCursor($0) ?? EventCursor(era: "", number: 0) } ?? present
    return .events { stream in await self.follow(stream, from: start) }
  }

  /// Sends events until the client closes the connection.
  private func follow(_ stream: WebStream, from start: EventCursor) async {
    let (number, pulses) = await feed.listen()
    var writer = EventWriter(position: start)
    for await _ in pulses {
      let news = await feed.news(since: writer.position)
      do {
        try await send(news, &writer, to: stream)
        try await Task.sleep(for: .milliseconds(EventWriter.interval))
        if writer.owesOrder { await feed.nudge(number) }
      } catch {
        break
      }
    }
    await feed.leave(number)
  }

  /// Sends what is new, a few hundred jobs at a time. Each part is prepared only after the client has read the one
  /// before.
  private func send(_ news: EventNews, _ writer: inout EventWriter, to stream: WebStream) async throws {
    guard let changes = news.changes else { return try stream.send(writer.reset(to: news.cursor)) }
    var rest = changes.jobs[...]
    while !rest.isEmpty {
      let ids = Array(rest.prefix(EventWriter.jobsAtOnce))
      rest = rest.dropFirst(ids.count)
      try stream.send(try await lines(ids, news))
      try await stream.drained()
    }
    // The first write shows that the stream is open, even if there is nothing new.
    try stream.send(writer.rest(of: changes, news))
    try await stream.drained()
  }

  /// Returns the events about changed jobs. If one of the jobs was removed in the meantime, the journal reports the
  /// removal next.
  private func lines(_ ids: [JobID], _ news: EventNews) async throws -> [UInt8] {
    try await context.run { [manager, settings] () async throws(Failure) in
      let jobs = try await manager.jobs.summaries(ids: ids)
      let waits = try await manager.waitContext(limit: settings.maxPerOrigin)
      return jobs.flatMap { job in
        var json = JSONText()
        json.object(
          JobFacts(
            job, live: news.progress[job.id], names: settings.names, waits: waits, isFile: System.isFile
          ).writeFields)
        return ServerEvent.bytes("job", data: json.text)
      }
    }
  }
}

/// Writes the events for one client, and remembers the values that it wrote last.
struct EventWriter: Sendable {
  /// The milliseconds between two writes.
  static let interval = 250
  static let jobsAtOnce = 500
  /// The time between two events that report a changed order of the queue.
  private static let orderInterval = Duration.seconds(1)

  /// The position of the client in the events.
  private(set) var position: EventCursor
  private var progressNumber = -1
  private var counts: [JobState: Int]?
  private var beats: Int?
  private var orderedAt: ContinuousClock.Instant?
  /// Whether the client has not been told yet that the order changed.
  private(set) var owesOrder = false
  private var hadProgress = false

  init(position: EventCursor) { self.position = position }

  /// Returns the event that tells the client to load everything again.
  mutating func reset(to cursor: EventCursor) -> [UInt8] {
    position = cursor
    return ServerEvent.bytes("reset", data: "{}", id: cursor.description)
  }

  /// Returns all events except those about changed jobs. The last event has the new position.
  mutating func rest(
    of changes: EventJournal.News, _ news: EventNews, now: ContinuousClock.Instant = .now
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for id in changes.removed { bytes += ServerEvent.bytes("removed", data: "{\"id\":\(id)}") }
    if changes.isReordered { owesOrder = true }
    if owesOrder, orderedAt.map({ $0.advanced(by: EventWriter.orderInterval) <= now }) ?? true {
      bytes += ServerEvent.bytes("order", data: "{}")
      (owesOrder, orderedAt) = (false, now)
    }
    if news.counts != counts {
      counts = news.counts
      var json = JSONText()
      json.object { NativeAPI.write(news.counts, to: &$0) }
      bytes += ServerEvent.bytes("counts", data: json.text)
    }
    if news.progressNumber != progressNumber {
      progressNumber = news.progressNumber
      if !news.progress.isEmpty || hadProgress { bytes += EventWriter.progress(news.progress) }
      hadProgress = !news.progress.isEmpty
    }
    let isMoved = position != news.cursor
    position = news.cursor
    // The first heartbeat is sent at once, so that the client knows that it is connected.
    if isMoved || beats != news.beats {
      beats = news.beats
      bytes += ServerEvent.bytes("beat", data: "{}", id: position.description)
    }
    return bytes
  }

  private static func progress(_ entries: [JobID: ProgressEntry]) -> [UInt8] {
    let entries = entries.values.sorted { $0.job < $1.job }
    var json = JSONText()
    json.object { json in
      json.array("jobs", entries) { json, entry in
        json.object { json in
          json.field("id", entry.job)
          json.field("received", entry.received)
          json.field("size", entry.size)
          json.field("rate", Int64(saturating: entry.rate))
          json.field("connections", entry.connections)
          json.field("phase", entry.phase.rawValue)
        }
      }
      json.field("rate", Int64(saturating: entries.reduce(0) { $0 + $1.rate }))
    }
    return ServerEvent.bytes("progress", data: json.text)
  }
}
