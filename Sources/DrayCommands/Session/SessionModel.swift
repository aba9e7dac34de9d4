// What a run displays at one moment: events and snapshots change it, and it contains bars and totals. The code in this
// file has no effects outside its values, and reads no clock.

internal import DrayKit
internal import TerminalUI

/// The unfinished jobs of a run, as bars.
struct SessionModel {
  /// The facts for the last line about a job that has ended.
  struct Ending: Equatable {
    var item: BarItem
    /// The number of seconds since the job began in this run.
    var seconds: Double
    /// The number of bytes that were received in this run.
    var transferred: Int64
  }

  private struct Track {
    var bar: LiveBar
    var began: Double
    var order: Int
    /// The position in the file at which this run began to receive.
    var start: Int64?
    /// The time of the next attempt, and the reason for the wait.
    var retry: (time: Double, why: String)?
    /// Whether another process transfers the job, and whether that process is no longer transferring it.
    var isElsewhere = false
    var isGone = false
    /// Whether the name is the file's title instead of the target's name.
    var isTitled = false
    /// Whether received bytes were discarded, and no answer has come since then. In that case, a snapshot may still
    /// contain the old count.
    var isRestarting = false
    /// Whether the last snapshot already counts the job as complete or failed, although the event of its end has not
    /// arrived.
    var isEnding = false
  }

  private var tracks: [JobID: Track] = [:]
  private var begun = 0
  /// The number of times that a job was restarted. A snapshot that was requested before the last restart is out of
  /// date.
  private(set) var restarts = 0
  private var snapshot: RunnerSnapshot?

  /// Changes the display for an event that arrived at `now`.
  /// - Returns: The facts about the job, if this event is its end.
  mutating func apply(_ event: JobEvent, now: Double) -> Ending? {
    switch event.kind {
    case .started(_, _, let title):
      start(event.id, title, now: now)
    case .response(_, let from, let size):
      change(event.id) { track in
        track.bar.item.state = .active
        track.bar.item.received = from
        track.bar.item.size = size
        track.start = min(track.start ?? from, from)
        track.isRestarting = false
      }
    case .restarted:
      restarts += 1
      change(event.id) { track in
        track.isRestarting = true
        track.bar.item.received = 0
        track.bar.item.size = nil
        track.bar.item.reused = nil
        track.start = 0
        track.bar.resetRate()
      }
    case .retrying(let failure, let delay):
      change(event.id) { track in
        track.bar.item.state = .retrying
        track.bar.item.rate = nil
        track.bar.item.connections = 1
        track.bar.item.map = nil
        track.retry = (now + delay, RetryWords.why(failure))
        // A job that was refused at once has no name yet.
        if track.bar.item.name == SessionModel.unnamed(event.id) { track.bar.item.name = URLName.text(failure.subject) }
        track.bar.item.note = RetryWords.note(seconds: delay, RetryWords.why(failure))
      }
    case .complete(let path, let size, let digest, _):
      let isTitled = tracks[event.id]?.isTitled ?? false
      return end(event.id, .complete, now) { item in
        if !isTitled { item.name = TextSafety.escaped(PathText.split(path).name) }
        item.received = size
        item.size = size
        item.link = FileLink.text(path)
        item.proof = digest.flatMap(Proof.init)
      }
    case .completeWithoutFile(let note):
      return end(event.id, .complete, now) { item in
        (item.received, item.size) = (0, 0)
        item.note = TextSafety.escaped(note)
      }
    case .failed: return end(event.id, .failed, now)
    case .waiting: tracks[event.id] = nil
    case .interrupted: return end(event.id, .interrupted, now)
    case .paused, .removed, .skipped, .upToDate: return end(event.id, .interrupted, now)
    case .seeded(let seeding): change(event.id) { $0.bar.item.reused = Reused(seeding) }
    case .added, .redirected, .damaged, .adopted, .mirrorDropped, .interfaceChanged, .connectionsLimited, .linkRenewed,
      .hook:
      break
    }
    return nil
  }

  /// Changes the display when an attempt at a job has begun.
  private mutating func start(_ id: JobID, _ title: String?, now: Double) {
    begun += 1
    let name = title.map(TextSafety.escaped) ?? SessionModel.unnamed(id)
    var track = tracks[id] ?? Track(bar: LiveBar(id, name: name), began: now, order: begun)
    track.isTitled = title != nil
    track.bar.item.state = .connecting
    track.bar.item.note = nil
    track.retry = nil
    (track.isElsewhere, track.isGone) = (false, false)
    track.isRestarting = false
    track.bar.resetRate()
    tracks[id] = track
  }

  mutating func update(_ snapshot: RunnerSnapshot, now: Double) {
    self.snapshot = snapshot
    let active = Set(snapshot.active.map(\.id))
    for id in Array(tracks.keys) {
      change(id) { track in
        track.isEnding = !track.isElsewhere && track.bar.item.state != .retrying && !active.contains(id)
        track.bar.item.elapsed = max(0, now - track.began)
        if let retry = track.retry, track.bar.item.state == .retrying {
          track.bar.item.note = RetryWords.note(seconds: retry.time - now, retry.why)
        }
      }
    }
    update(snapshot.active, now: now)
  }

  /// Updates the jobs that another process transfers and this run waits for.
  mutating func updateElsewhere(_ jobs: [ActiveJob], now: Double) {
    let present = Set(jobs.map(\.id))
    for (id, track) in tracks where track.isElsewhere { tracks[id]?.isGone = !present.contains(id) }
    for job in jobs where tracks[job.id] == nil {
      begun += 1
      let bar = LiveBar(job.id, name: TextSafety.escaped(job.name))
      tracks[job.id] = Track(bar: bar, began: now, order: begun, start: job.received, isElsewhere: true)
    }
    update(jobs.filter { tracks[$0.id]?.isElsewhere == true }, now: now)
  }

  /// The number of this run's jobs that another process is transferring.
  var elsewhere: Int { tracks.values.count { $0.isElsewhere && !$0.isGone } }

  private mutating func update(_ jobs: [ActiveJob], now: Double) {
    for job in jobs {
      change(job.id) { track in
        let before = track.bar.item
        track.bar.item.name = TextSafety.escaped(job.name)
        track.bar.item.host = job.host.map(TextSafety.escaped)
        var look = JobLook(job, state: before.state == .retrying ? .retrying : nil)
        guard look.state != .sending else { return track.bar.take(look, now: now) }
        // A lower count is accepted only after an event has announced it. That event may still be on its way.
        guard !track.isRestarting, before.state != .active || look.done >= before.received else {
          return track.bar.enter(look.state)
        }
        if before.state != .sending { look.size = look.size ?? before.size }
        track.bar.take(look, now: now)
      }
    }
  }

  /// The bars of the unfinished jobs, in the order in which the jobs started.
  var items: [BarItem] { tracks.values.filter { !$0.isGone }.sorted { $0.order < $1.order }.map(\.bar.item) }

  func isWaiting(_ id: JobID) -> Bool { tracks[id]?.retry != nil }

  /// Returns the position at which a job began to receive in this run; `nil` if that is unknown, or if another process
  /// transfers the job.
  func start(of id: JobID) -> Int64? { tracks[id].flatMap { $0.isElsewhere ? nil : $0.start } }

  /// Whether it is known where the job began to receive, or another process transfers the job.
  func knowsStart(of id: JobID) -> Bool { tracks[id].map { $0.isElsewhere || $0.start != nil } ?? false }

  /// Returns the totals of all jobs of the run. The sizes of files are added to the totals when they become known.
  func totals() -> Totals {
    let items = tracks.values.filter { !$0.isGone && !$0.isEnding }.map(\.bar.item)
    var totals = Totals(items)
    let waiting = items.count { $0.state == .retrying }
    guard let snapshot else { return totals }
    // Jobs of another process that have bars must not be counted twice.
    let unseen = max(0, snapshot.elsewhere - elsewhere)
    // Jobs that wait for a retry count as queued.
    totals.active = max(0, totals.active - waiting)
    totals.limit = snapshot.limit
    totals.queued = snapshot.queued + unseen
    totals.complete = snapshot.summary.complete
    totals.failed = snapshot.summary.failed
    totals.interrupted = snapshot.summary.interruptedOnly
    totals.paused = snapshot.summary.paused
    totals.received = clamped(totals.received, snapshot.completeBytes)
    totals.knownSize = clamped(totals.knownSize, snapshot.completeBytes)
    totals.unknownSizes += max(0, snapshot.queued - waiting) + unseen
    if totals.unknownSizes > 0 { totals.eta = nil }
    return totals
  }

  private func clamped(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  /// Returns the text that is shown for a job whose name is not known yet.
  private static func unnamed(_ id: JobID) -> String { "job \(id)" }

  private mutating func change(_ id: JobID, _ body: (inout Track) -> Void) {
    guard let index = tracks.index(forKey: id) else { return }
    body(&tracks.values[index])
  }

  private mutating func end(
    _ id: JobID, _ state: BarState, _ now: Double, _ change: (inout BarItem) -> Void = { _ in }
  ) -> Ending? {
    guard var track = tracks.removeValue(forKey: id) else { return nil }
    track.bar.item.state = state
    track.bar.item.note = nil
    change(&track.bar.item)
    let start = track.start ?? track.bar.item.received
    return Ending(
      item: track.bar.item, seconds: max(0, now - track.began), transferred: track.bar.item.received - start)
  }
}

enum RetryWords {
  /// Returns a short reason for a failure: the status of the server's answer if there is one.
  static func why(_ failure: Failure) -> String {
    failure.httpStatus.map { "\($0)" } ?? TextSafety.escaped(failure.reason)
  }

  /// Returns a text such as `in 8 s: 503`, or for a longer wait `until 05:47: 503`.
  static func note(seconds: Double, _ why: String, until: String? = nil) -> String {
    if let until { return "until \(until): \(why)" }
    return seconds > 0.5 ? "in \(TimeText.elapsed(seconds)): \(why)" : "now: \(why)"
  }
}

extension Reused {
  /// Creates a bar's text about the seeds of a job; `nil` as long as no bytes of seeds are used.
  init?(_ seeding: Seeding) {
    guard let outcome = seeding.outcome, outcome.reused > 0, let size = outcome.size else { return nil }
    self.init(bytes: outcome.reused, size: size)
  }
}

extension Proof {
  /// Creates the proof that a digest gives. The result is `nil` for a digest that was only computed.
  init?(_ digest: SourcedDigest) {
    guard digest.source != .computed else { return nil }
    let name = digest.source.rawValue
    // For a list of digests, its file name is enough.
    let list = name.contains("://") ? try? RequestURL.parse(name).url : nil
    let source = list.map { FileName.fromURLPath($0.path) } ?? name
    self.init(digest.digest.algorithm.rawValue, source: digest.source == .given ? nil : source)
  }
}

/// Turns a path into a URL that terminals can open.
enum FileLink {
  static func text(_ path: String) -> String { "file://" + PercentText.encoded(path, keepsSlashes: true) }
}
