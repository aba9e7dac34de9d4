// The jobs on the screen of `dray watch`: records and progress come in, and rows in the order of the queue come out.
// The code in this file has no effects outside its values, and reads no clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

/// What has changed since the last batch of changes.
struct WatchNews: Sendable {
  var records: [JobSummary] = []
  /// The jobs that no longer exist.
  var removed: [JobID] = []
  var progress: [JobID: ProgressEntry] = [:]
  /// Whether any process transfers jobs at present.
  var hasRunners = false
  /// The number of jobs in each state; `nil` if no number has changed.
  var counts: [JobState: Int]?
  /// The limit of all runners together, as a text for people; `nil` if there is none.
  var limit: String?
  /// The facts that explain why jobs wait; `nil` if they have not changed.
  var waits: WaitContext?
  /// The service's own texts about why its jobs wait.
  var notes: [JobID: String] = [:]
}

/// The jobs in the order in which they are shown: first active jobs, then waiting jobs in the order of the queue, then
/// failed jobs, then complete jobs. The newest complete job comes first.
struct WatchJobs {
  /// The criteria for the place of a job in that order.
  private struct Place: Comparable {
    var group: Int
    var first: Double
    var second: Double
    var id: JobID

    init(_ record: JobSummary) {
      id = record.id
      switch record.state {
      case .active: (group, first, second) = (0, 0, 0)
      case .queued, .paused, .interrupted: (group, first, second) = (1, -Double(record.priority), record.rank)
      case .failed: (group, first, second) = (2, -(record.finishedAt ?? 0), 0)
      case .complete: (group, first, second) = (3, -(record.finishedAt ?? 0), 0)
      }
    }

    static func < (one: Place, other: Place) -> Bool {
      (one.group, one.first, one.second, one.id) < (other.group, other.first, other.second, other.id)
    }
  }

  /// The progress of an active job in the course of time.
  private struct Movement {
    var bar: LiveBar
    var rates: [Double] = []
    var sampled = -Double.infinity
  }

  private var records: [JobID: JobSummary] = [:]
  private var places: [JobID: Place] = [:]
  /// The escaped names of all jobs, which filters need.
  private var names: [JobID: String] = [:]
  private var movements: [JobID: Movement] = [:]
  private(set) var progress: [JobID: ProgressEntry] = [:]
  private(set) var order: [JobID] = []
  private(set) var counts: [JobState: Int] = [:]
  private(set) var hasRunners = false
  private(set) var limit: String?
  /// The facts that explain why jobs wait.
  private var waits: WaitContext?
  private var notes: [JobID: String] = [:]
  private(set) var largest: JobID = 0

  /// The maximum number of rates that are kept for each job, and the number of seconds between two of them.
  private static let (mostRates, sampleInterval) = (240, 1.0)

  subscript(id: JobID) -> JobSummary? { records[id] }

  /// Takes in the changes. `now` is in seconds of a monotonic clock.
  /// - Returns: Whether jobs were added or removed, or whether their places or names changed.
  mutating func take(_ news: WatchNews, now: Double) -> Bool {
    var isChanged = false
    for record in news.records {
      let place = Place(record)
      let before = records[record.id]
      if before == nil || before?.fileName != record.fileName || before?.url != record.url {
        names[record.id] = URLName.text(record.url, file: record.shownName)
        isChanged = true
      }
      if places[record.id] != place { isChanged = true }
      (records[record.id], places[record.id]) = (record, place)
      largest = max(largest, record.id)
    }
    for id in news.removed where records.removeValue(forKey: id) != nil {
      (places[id], names[id]) = (nil, nil)
      isChanged = true
    }
    if isChanged { order = places.values.sorted().map(\.id) }
    (progress, hasRunners, limit) = (news.progress, news.hasRunners, news.limit)
    counts = news.counts ?? counts
    waits = news.waits ?? waits
    for record in news.records { notes[record.id] = news.notes[record.id] }
    for (id, entry) in progress { move(id, entry, now) }
    for id in Array(movements.keys) where records[id]?.state != .active { movements[id] = nil }
    return isChanged
  }

  private mutating func move(_ id: JobID, _ entry: ProgressEntry, _ now: Double) {
    var movement = movements.removeValue(forKey: id) ?? Movement(bar: LiveBar(id, name: name(id)))
    movement.bar.take(JobLook(entry), now: now)
    if now - movement.sampled >= WatchJobs.sampleInterval {
      movement.sampled = now
      if movement.rates.count == WatchJobs.mostRates { movement.rates.removeFirst() }
      movement.rates.append(movement.bar.item.rate ?? entry.rate)
    }
    movements[id] = movement
  }

  /// Moves a job to its new place before the store reports the move, because the user may press keys faster than
  /// records arrive.
  mutating func move(_ id: JobID, nextTo other: JobID, isAfter: Bool) {
    guard var record = records[id], let neighbour = records[other] else { return }
    record.priority = neighbour.priority
    record.rank = isAfter ? neighbour.rank.nextUp : neighbour.rank.nextDown
    (records[id], places[id]) = (record, Place(record))
    order = places.values.sorted().map(\.id)
  }

  /// Returns the escaped name of a job.
  func name(_ id: JobID) -> String { names[id] ?? "job \(id)" }

  /// Returns the rates of an active job, one for each second; the newest is the last.
  func rates(_ id: JobID) -> [Double] { movements[id]?.rates ?? [] }

  /// Returns the row of a job. `now` is in seconds since 1970.
  func item(_ id: JobID, now: Double) -> BarItem? {
    guard let record = records[id] else { return nil }
    var item = BarItem(
      id: Int(id), name: name(id), state: BarState(record.state), received: record.received, size: record.size)
    item.host = WatchJobs.host(record.url)
    item.link = record.state == .complete ? record.target.map(FileLink.text) : nil
    switch record.state {
    case .active: if progress[id] != nil { movements[id]?.bar.move(&item) }
    case .queued:
      if let time = record.notBefore, time > now, let failure = record.failure {
        item.state = .retrying
        item.note = RetryWords.note(seconds: time - now, RetryWords.why(failure), until: WatchJobs.wait(record, now))
      } else {
        item.note = notes[id] ?? JobWait.text(record, now: now, queues: waits)
      }
    case .failed, .interrupted: item.note = record.failure.map { TextSafety.escaped($0.reason) }
    case .paused: break
    case .complete: item.received = record.size ?? record.received
    }
    return item
  }

  /// Returns a text about when the pause that a server asked for ends; `nil` if there is no such pause, or if it is
  /// short.
  private static func wait(_ record: JobSummary, _ now: Double) -> String? {
    guard let hold = record.hold, hold.isInForce(at: now), hold.until - now >= 60 else { return nil }
    return TimeStamp.moment(hold.until, now: now)
  }

  /// Returns the host in a URL, without the port.
  private static func host(_ url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    // An IPv6 address stands in brackets and contains colons.
    let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
    let host = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
    return host.isEmpty ? nil : TextSafety.escaped(String(host))
  }

  var totals: Totals {
    var totals = Totals()
    totals.active = counts[.active, default: 0]
    totals.queued = counts[.queued, default: 0]
    totals.complete = counts[.complete, default: 0]
    totals.failed = counts[.failed, default: 0]
    totals.interrupted = counts[.interrupted, default: 0]
    totals.paused = counts[.paused, default: 0]
    // The sizes of waiting jobs are not known yet.
    totals.unknownSizes = 1
    let moving = progress.filter { $0.value.phase == .receiving || $0.value.phase == .sending }
    if !moving.isEmpty {
      totals.rate = moving.reduce(0) { $0 + (movements[$1.key]?.bar.item.rate ?? $1.value.rate) }
    }
    return totals
  }
}

extension BarState {
  init(_ state: JobState) {
    self =
      switch state {
      case .queued: .queued
      case .active: .connecting
      case .complete: .complete
      case .failed: .failed
      case .interrupted: .interrupted
      case .paused: .paused
      }
  }
}
