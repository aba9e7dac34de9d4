// `dray watch --json`: the events of all runners as lines of JSON, out of the store and the runners' boards. Holds nothing
// and changes nothing.

internal import DrayKit
internal import DrayWire
import Foundation
internal import Posix

actor WatchStream {
  private let manager: DownloadManager
  /// The jobs that were named; nil is all.
  private let ids: [JobID]?
  private let output: ResultOutput
  private var known: [JobID: WatchedJob] = [:]
  private var newest: JobID = 0
  private var mark: ChangeMark?
  private var told: [JobID: Int64] = [:]
  private var ending: Int32?

  /// Seconds between two looks.
  private static let interval = 0.2

  init(_ manager: DownloadManager, _ ids: [JobID]?, _ output: ResultOutput = .standard) {
    (self.manager, self.ids, self.output) = (manager, ids, output)
  }

  /// Writes until the jobs that were named have ended, the reader has gone, or a signal comes.
  func run() async throws -> ExitStatus {
    let signals = SignalWatch(restore: "") { wish in Task { await self.obey(wish) } }
    try begin()
    while ending == nil, !output.isBroken, !isOver {
      try await Task.sleep(for: .seconds(WatchStream.interval))
      try look()
    }
    return withExtendedLifetime(signals) { ending.flatMap { ExitStatus(rawValue: 128 + $0) } ?? .success }
  }

  /// Whether nothing more can be expected of the jobs that were named.
  private var isOver: Bool {
    guard let ids else { return false }
    return ids.allSatisfy { known[$0].map { $0.state.isFinished || $0.state == .interrupted } ?? true }
  }

  private func obey(_ wish: SignalWatch.Wish) {
    switch wish {
    case .suspend: SignalWatch.suspendProcess()
    case .end(let number): ending = number
    }
  }

  /// Tells how things stand.
  private func begin() throws {
    try? manager.refresh()
    mark = try manager.store.changeMark()
    let live = try manager.progress()
    for summary in try current() {
      known[summary.id] = WatchedJob(summary)
      output.write(EventJSON.job(JobFacts(summary, live: live[summary.id], isFile: System.isFile), time: WallTime.now))
    }
    newest = try manager.store.newestID()
    output.flush()
  }

  /// Tells what happened since the last look.
  private func look() throws {
    try? manager.refresh()
    let now = try manager.store.changeMark()
    if now != mark {
      mark = now
      try compare()
    }
    let time = WallTime.now
    for (id, entry) in try manager.progress().sorted(by: { $0.key < $1.key })
    where known[id]?.state == .active && told[id] != entry.received && entry.phase != .waiting {
      told[id] = entry.received
      output.write(
        EventJSON.progress(id, received: entry.received, size: entry.size, rate: entry.rate, time: time))
    }
    output.flush()
  }

  private func compare() throws {
    let before = newest
    let all = try current()
    for summary in all { try tell(summary, isNew: summary.id > before) }
    newest = max(newest, all.map(\.id).max() ?? 0)
    // What is not among the unfinished any more has ended, or is gone.
    let left = Set(known.keys).subtracting(all.map(\.id)).sorted()
    let ended = try manager.store.summaries(ids: left)
    for summary in ended { try tell(summary, isNew: false) }
    for id in Set(left).subtracting(ended.map(\.id)).sorted() {
      known[id] = nil
      output.write(EventJSON.line(JobEvent(id: id, time: WallTime.now, kind: .removed)))
    }
  }

  /// The jobs that are looked at: those that were named, or all that have not ended and those that are new.
  private func current() throws -> [JobSummary] {
    if let ids { return try manager.store.summaries(ids: ids) }
    var all: [JobSummary] = []
    try manager.store.forEachSummary(states: Set(JobState.allCases.filter { !$0.isFinished })) { all.append($0) }
    // Some may have come and ended since the last look.
    return all + (try manager.store.summaries(after: newest).filter { $0.state.isFinished })
  }

  private func tell(_ summary: JobSummary, isNew: Bool) throws {
    let new = WatchedJob(summary)
    var old = known[summary.id]
    if old == nil, !isNew {
      // It had ended, was not looked at any more, and continues.
      old = WatchedJob(state: .failed, attempts: new.attempts - (new.state == .active ? 1 : 0))
    }
    guard old != new else { return }
    for change in WatchChanges.between(old, new) { try tell(change, summary) }
    known[summary.id] = ids == nil && new.state.isFinished ? nil : new
    if new.state != .active { told[summary.id] = nil }
  }

  private func tell(_ change: WatchedChange, _ summary: JobSummary) throws {
    let time = WallTime.now
    func write(_ kind: JobEvent.Kind) {
      output.write(EventJSON.line(JobEvent(id: summary.id, time: time, kind: kind)))
    }
    switch change {
    case .added: output.write(EventJSON.added(JobFacts(summary, live: nil, isFile: System.isFile), time: time))
    case .queued: output.write(EventJSON.queued(summary.id, time: time))
    case .started: write(.started(attempt: summary.attempts))
    case .answered:
      // The head of the answer is in the whole job only.
      guard let response = try manager.store.job(summary.id)?.response else { return }
      write(.response(response, from: summary.received, size: summary.size))
    case .retrying:
      let failure = summary.failure ?? Failure(.other, ShownURL.text(summary.url), "it is retried")
      write(.retrying(failure, delay: max(0, (summary.notBefore ?? time) - time)))
    case .interrupted: write(.interrupted(summary.failure))
    case .paused: write(.paused)
    case .failed: write(.failed(summary.failure ?? Failure(.other, ShownURL.text(summary.url), "it failed")))
    case .complete:
      write(
        .complete(
          path: summary.target ?? "", size: summary.size ?? summary.received,
          digest: summary.knownDigest, note: summary.note))
    }
  }
}
