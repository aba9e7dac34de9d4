// The jobs on the screen of `dray watch`: records and progress in, rows in the order of the queue out. No effects, no
// clock.

internal import DrayKit
internal import DrayStore
internal import TerminalUI

/// The changes since the last batch.
struct WatchNews: Sendable {
  var records: [JobSummary] = []
  /// The jobs that no longer exist.
  var removed: [JobID] = []
  var progress: [JobID: ProgressEntry] = [:]
  /// Whether any process transfers jobs.
  var hasRunners = false
  /// The numbers of jobs by state; `nil` if unchanged.
  var counts: [JobState: Int]?
  /// The limit of all runners, for people; `nil` if there is none.
  var limit: String?
  /// The context of waiting jobs; `nil` if unchanged.
  var waits: WaitContext?
  /// Why jobs of a service wait, in its words.
  var notes: [JobID: String] = [:]
}

/// The jobs in display order: active ones, waiting ones in the order of the queue, failed ones, and complete ones,
/// newest first.
struct WatchJobs {
  /// The sort key of a job.
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

  /// The progress of an active job over time.
  private struct Movement {
    var bar: LiveBar
    var rates: [Double] = []
    var sampled = -Double.infinity
  }

  private var records: [JobID: JobSummary] = [:]
  private var places: [JobID: Place] = [:]
  /// The escaped names, stored because a filter needs all of them.
  private var names: [JobID: String] = [:]
  private var movements: [JobID: Movement] = [:]
  private(set) var progress: [JobID: ProgressEntry] = [:]
  private(set) var order: [JobID] = []
  private(set) var counts: [JobState: Int] = [:]
  private(set) var hasRunners = false
  private(set) var limit: String?
  /// Why the jobs of closed queues wait, by the names of the queues.
  private var waits: WaitContext?
  private var notes: [JobID: String] = [:]
  private(set) var largest: JobID = 0

  /// The number of stored rates per job, and the seconds between two of them.
  private static let (mostRates, sampleInterval) = (240, 1.0)

  subscript(id: JobID) -> JobSummary? { records[id] }

  /// Processes changes at `now`, in seconds of a monotonic clock.
  /// - Returns: Whether jobs have been added or removed, or have changed their places or names.
  mutating func take(_ news: WatchNews, now: Double) -> Bool {
    var isChanged = false
    for record in news.records {
      let place = Place(record)
      let before = records[record.id]
      if before == nil || before?.fileName != record.fileName || before?.url != record.url {
        names[record.id] = URLName.text(record.url, file: record.fileName)
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

  /// Moves a job to its new place before the store reports it, because keys may arrive faster than records.
  mutating func move(_ id: JobID, nextTo other: JobID, isAfter: Bool) {
    guard var record = records[id], let neighbour = records[other] else { return }
    record.priority = neighbour.priority
    record.rank = isAfter ? neighbour.rank.nextUp : neighbour.rank.nextDown
    (records[id], places[id]) = (record, Place(record))
    order = places.values.sorted().map(\.id)
  }

  /// Returns the escaped name of a job.
  func name(_ id: JobID) -> String { names[id] ?? "job \(id)" }

  /// Returns the rates of an active job, one per second, newest last.
  func rates(_ id: JobID) -> [Double] { movements[id]?.rates ?? [] }

  /// Returns a job's line at `now`, in seconds since 1970.
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

  /// Returns the end of a server's hold, in words; `nil` if there is none or a short one.
  private static func wait(_ record: JobSummary, _ now: Double) -> String? {
    guard let hold = record.hold, hold.isInForce(at: now), hold.until - now >= 60 else { return nil }
    return TimeStamp.moment(hold.until, now: now)
  }

  /// Returns the host in a URL, without its port.
  private static func host(_ url: String) -> String? {
    guard let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    // An IPv6 address is in brackets, and contains colons.
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
    // Waiting jobs have no size yet.
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
