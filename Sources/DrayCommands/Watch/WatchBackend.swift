// What the full-screen display is connected to: the job store of this machine or a service reports the changes, and
// carries out the commands.

internal import DrayKit
internal import DrayStore
internal import DrayWire
internal import Posix
internal import TerminalUI
internal import Threads

/// A command for one job.
enum WatchControl: String, Sendable {
  case pause, resume, retry
}

/// The part of the display's state that decides which changes are read.
struct WatchView: Sendable {
  var visible: [JobID]
  var isLoaded: Bool
  var limit: String?
}

protocol WatchBackend: Sendable {
  /// Reports changes until the task is cancelled.
  /// - Parameters:
  ///   - view: Returns the present state of that part of the display.
  ///   - take: Receives the changes.
  ///   - say: Receives messages, such as that the jobs cannot be read for a while, and whether each message is an
  ///     error.
  func follow(
    _ view: @escaping @Sendable () async -> WatchView, _ take: @escaping @Sendable (WatchNews) -> Void,
    _ say: @escaping @Sendable (String, Bool) -> Void
  ) async throws(Failure)
  /// Reads everything about a job; returns `nil` if that is not possible.
  func details(of id: JobID, live: ProgressEntry?) async -> WatchDetails?
  func records(_ ids: [JobID]) async throws(Failure) -> [JobSummary]
  /// - Returns: Whether the command is done; `false` if the job's runner was asked to do it and has not answered yet.
  /// - Throws: A failure, also if the job's state does not allow the command.
  func control(_ id: JobID, _ control: WatchControl) async throws(Failure) -> Bool
  /// - Returns: A text about the result, and the step that undoes the removal; `nil` if it cannot be undone.
  func remove(_ id: JobID) async throws(Failure) -> (report: String, step: WatchStep?)
  /// - Returns: The step that undoes the move; `nil` if it cannot be undone.
  func move(_ id: JobID, to place: QueuePlace) async throws(Failure) -> WatchStep?
  /// Undoes a step.
  /// - Returns: The job that the step concerns, and a text about the result.
  func takeBack(_ step: WatchStep) async throws(Failure) -> (id: JobID, report: String)
  /// Queues URLs as `dray add` does, and returns a text about the result.
  func add(_ urls: [String]) async throws -> String
  /// Limits all runners with an argument of `dray limit`, and returns a text about the result.
  func limit(_ text: String) async throws(Failure) -> String
  /// Limits one job, and returns a text about the result.
  func limit(_ text: String, of id: JobID) async throws(Failure) -> String
}

extension WatchBackend {
  static func queued(_ ids: [JobID], _ remarks: [String] = []) -> String {
    let queued =
      switch ids.count {
      case 0: ""
      case 1: "job \(ids[0]) queued"
      default: "\(ids.count) jobs queued"
      }
    return ([queued] + remarks).filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

struct StoreBackend: WatchBackend {
  typealias Adder = @Sendable ([String]) async throws -> String

  let manager: DownloadManager
  /// The jobs that the user named; `nil` for all jobs.
  let ids: [JobID]?
  let adder: Adder

  /// The maximum number of complete jobs that are shown. If there are more, the newest are shown.
  static let mostComplete = 1000

  // MARK: Changes

  func follow(
    _ view: @escaping @Sendable () async -> WatchView, _ take: @escaping @Sendable (WatchNews) -> Void,
    _ say: @escaping @Sendable (String, Bool) -> Void
  ) async throws(Failure) {
    var isAway = false
    while true {
      do throws(Failure) {
        for try await batch in manager.changes(of: ids).batches {
          take(try await news(batch, await view()))
          if isAway { say("the job store answers again", false) }
          isAway = false
        }
        return
      } catch {
        // A database that cannot be reached may come back, so the display stays.
        guard error.isStoreAway, (await view()).isLoaded else { throw error }
        if !isAway { say(error.message, true) }
        isAway = true
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }

  private func news(_ batch: JobChanges.Batch, _ view: WatchView) async throws(Failure) -> WatchNews {
    let jobs = manager.jobs
    var news = WatchNews(progress: batch.progress, hasRunners: batch.hasRunners)
    if let records = batch.records {
      news.records = records
      news.waits = try await manager.waitContext()
      news.counts = try await jobs.counts(ids: ids.map { Set($0) })
      news.limit = try await manager.limit().map { RateText.text($0.rule.rate(at: WallClock.now(), zone: .current)) }
    } else {
      news.limit = view.limit
    }
    if !view.isLoaded, ids == nil { news.records += try await ended() }
    for change in batch.changes {
      if let record = change.record { news.records.append(record) } else { news.removed.append(change.id) }
    }
    // The visible rows are read from the store in any case, because changes of jobs that have ended are not reported.
    if !view.visible.isEmpty {
      let fresh = try await jobs.summaries(ids: view.visible)
      news.records += fresh
      news.removed += Set(view.visible).subtracting(fresh.map(\.id))
    }
    return news
  }

  /// Returns the jobs that have ended: all that failed, and the newest that are complete.
  private func ended() async throws(Failure) -> [JobSummary] {
    let failed = try await manager.jobs.ids(states: [.failed])
    let complete = try await manager.jobs.ids(states: [.complete]).suffix(StoreBackend.mostComplete)
    return try await manager.jobs.summaries(ids: failed + complete)
  }

  func records(_ ids: [JobID]) async throws(Failure) -> [JobSummary] { try await manager.jobs.summaries(ids: ids) }

  func details(of id: JobID, live: ProgressEntry?) async -> WatchDetails? {
    // Parts that cannot be read stay empty. If the store has failed, another part of the display ends it.
    guard let job = try? await manager.jobs.job(id) else { return nil }
    let attempts = (try? await manager.jobs.attempts(of: id)) ?? []
    let after = (try? await manager.jobs.prerequisites(of: id)) ?? []
    let hold = (try? await manager.hold(on: job)) ?? nil
    let facts = JobFacts(
      job, after: after, hold: hold, live: live, names: .commandLine, waits: try? await manager.waitContext(),
      isFile: System.isFile)
    let page = JobPage(details: JobDetails(job: job, facts: facts, attempts: attempts)).text
    let map = job.checkpoint.size.map { FileMap(size: $0, done: job.checkpoint.segments.segments) }
    return WatchDetails(id: id, page: page, map: map)
  }

  // MARK: Commands

  func control(_ id: JobID, _ control: WatchControl) async throws(Failure) -> Bool {
    let outcomes =
      switch control {
      case .pause: try await manager.pause([id])
      case .resume: try await manager.resume([id])
      case .retry: try await manager.retry([id])
      }
    return try StoreBackend.removed(outcomes.first?.result, id).isDone
  }

  func remove(_ id: JobID) async throws(Failure) -> (report: String, step: WatchStep?) {
    // The removal deletes which jobs this one waits for, so that is read before.
    let waits = try await manager.jobs.summaries(ids: [id]).first?.waitsFor ?? []
    guard case (true, var job?) = try StoreBackend.removed(try await manager.remove([id]).first?.result, id) else {
      return (WatchProgram.unanswered(id), nil)
    }
    job.specification.after = waits
    if let objection = UndoRule.objection(to: job) {
      return ("job \(id) removed; it cannot be brought back: \(objection)", nil)
    }
    return ("job \(id) removed; u brings it back", .removed(job))
  }

  /// Returns whether a command was carried out, and the job in its new state.
  private static func removed(_ result: ControlResult?, _ id: JobID) throws(Failure) -> (isDone: Bool, job: Job?) {
    switch result {
    case .done(let job)?: return (true, job)
    case .asked?: return (false, nil)
    case .refused(let reason, let advice)?: throw Failure(.other, "job \(id)", reason, advice: advice)
    case .unknown?, nil: throw JobIDs.unknown(id)
    }
  }

  func move(_ id: JobID, to place: QueuePlace) async throws(Failure) -> WatchStep? {
    let before = try await manager.jobs.summaries(ids: [id]).first
    try await manager.move([id], to: place)
    guard let back = WatchStep.back(of: place), let before else { return nil }
    return .moved(id, back: back, priority: before.priority)
  }

  func takeBack(_ step: WatchStep) async throws(Failure) -> (id: JobID, report: String) {
    try await step.takeBack(by: manager)
  }

  func add(_ urls: [String]) async throws -> String { try await adder(urls) }

  func limit(_ text: String) async throws(Failure) -> String {
    if text == "auto" {
      try await manager.clearLimit()
      return "each runner uses its own limit"
    }
    _ = try OptionValue.rateRule(text, "the limit")
    try await manager.setLimit(text)
    return "limit of all runners: \(text)"
  }

  func limit(_ text: String, of id: JobID) async throws(Failure) -> String {
    let rate = text == "off" || text == "auto" ? nil : try OptionValue.read(text, .rate, "the limit of job \(id)")
    guard try await manager.jobs.setRateLimit(rate, of: id) else { throw JobIDs.unknown(id) }
    return "job \(id): \(RateText.text(rate))"
  }
}
