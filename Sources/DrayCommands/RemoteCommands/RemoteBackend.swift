// `dray --host http://… watch` on a terminal: shows the jobs of a service with the same screen and keys as `dray
// watch`.

internal import DrayDocuments
internal import DrayKit
internal import DrayServer
internal import DrayStore
internal import Posix
internal import TerminalUI
internal import Threads

struct RemoteBackend: WatchBackend {
  let calls: RemoteCalls
  /// The jobs that the user named; empty for all jobs.
  let ids: Set<JobID>

  /// The minimum number of seconds between two readings of the jobs. If a reading takes long, the time until the next
  /// one is longer.
  private static let interval = 1.0
  private static let unfinished = ["queued", "active", "paused", "interrupted", "failed"]

  // MARK: Changes

  func follow(
    _ view: @escaping @Sendable () async -> WatchView, _ take: @escaping @Sendable (WatchNews) -> Void,
    _ say: @escaping @Sendable (String, Bool) -> Void
  ) async throws(Failure) {
    var known: Set<JobID> = []
    var isAway = false
    while !Task.isCancelled {
      let begun = System.now
      do throws(Failure) {
        take(try await look(&known, isFirst: !(await view()).isLoaded))
        if isAway { say("the service answers again", false) }
        isAway = false
      } catch {
        // The display stays, because the service may be started again. But if the service has never answered, the
        // command fails.
        guard error.kind == .network, (await view()).isLoaded else { throw error }
        if !isAway { say(error.message, true) }
        isAway = true
      }
      let pause = max(RemoteBackend.interval, 10 * (System.now - begun))
      do { try await Task.sleep(for: .seconds(min(pause, 30))) } catch { return }
    }
  }

  /// Reads the jobs from the service. A known job that is not among the unfinished ones has ended or was removed.
  private func look(_ known: inout Set<JobID>, isFirst: Bool) async throws(Failure) -> WatchNews {
    let page = try await RemoteExecution.page(isFirst || !ids.isEmpty ? [] : RemoteBackend.unfinished, calls)
    var jobs = page.jobs
    if !ids.isEmpty { jobs.removeAll { !ids.contains(RemoteBackend.id($0)) } }
    if let missing = ids.subtracting(jobs.map(RemoteBackend.id)).min(), isFirst { throw JobIDs.unknown(missing) }
    let complete = jobs.count { $0["state"]?.string == "complete" }
    var spare = max(0, complete - StoreBackend.mostComplete)
    jobs.removeAll { job in
      guard spare > 0, job["state"]?.string == "complete" else { return false }
      spare -= 1
      return true
    }
    var news = WatchNews(hasRunners: true)
    let here = Set(jobs.map(RemoteBackend.id))
    for id in known.subtracting(here).sorted() {
      do throws(Failure) { jobs.append(try await calls.call("GET", "/jobs/\(id)")) } catch {
        if error.httpStatus != 404 { throw error }
        news.removed.append(id)
      }
    }
    let now = WallClock.now()
    let order = try await calls.call("GET", "/queue")["ids"]?.array?.compactMap(\.integer) ?? []
    let ranks = Dictionary(zip(order, order.indices.map(Double.init))) { first, _ in first }
    news.limit = try await calls.call("GET", "/limits")["overallRate"]?.string
    for job in jobs {
      let record = JobSummary(job, rank: ranks[RemoteBackend.id(job)] ?? 0)
      news.records.append(record)
      news.notes[record.id] = JobTableRow(job, now: now).wait
      news.progress[record.id] = ProgressEntry(job)
    }
    known = Set(news.records.lazy.filter { $0.state != .complete }.map(\.id))
    if !ids.isEmpty {
      news.counts = news.records.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    } else {
      news.counts = JobState.allCases.reduce(into: [:]) { $0[$1] = page.counts?[$1.rawValue]?.integer.map { Int($0) } }
    }
    return news
  }

  private static func id(_ job: JSONNode) -> JobID { job["id"]?.integer ?? 0 }

  func records(_ ids: [JobID]) async throws(Failure) -> [JobSummary] {
    var records: [JobSummary] = []
    for id in ids {
      do throws(Failure) {
        records.append(JobSummary(try await calls.call("GET", "/jobs/\(id)")))
      } catch {
        if error.httpStatus != 404 { throw error }
      }
    }
    return records
  }

  func details(of id: JobID, live: ProgressEntry?) async -> WatchDetails? {
    guard let job = try? await calls.call("GET", "/jobs/\(id)") else { return nil }
    return WatchDetails(id: id, page: RemoteReport.page(job), map: nil)
  }

  // MARK: Commands

  func control(_ id: JobID, _ control: WatchControl) async throws(Failure) -> Bool {
    _ = try await act(control.rawValue, id)
    return true
  }

  func remove(_ id: JobID) async throws(Failure) -> (report: String, step: WatchStep?) {
    let isUndone = try await act("remove", id)["undo"]?.string != nil
    return isUndone
      ? ("job \(id) removed; u brings it back", .removedThere(id))
      : ("job \(id) removed; it cannot be brought back", nil)
  }

  func move(_ id: JobID, to place: QueuePlace) async throws(Failure) -> WatchStep? {
    let priority = try await calls.call("GET", "/jobs/\(id)")["priority"]?.integer ?? 0
    try await calls.call("POST", "/jobs/move", RemoteReport.move([id], place))
    return WatchStep.back(of: place).map { .moved(id, back: $0, priority: Int(priority)) }
  }

  func takeBack(_ step: WatchStep) async throws(Failure) -> (id: JobID, report: String) {
    switch step {
    case .removed(let job): return try await restore(job.id)
    case .removedThere(let id): return try await restore(id)
    case .paused(let id):
      _ = try await act("resume", id)
      return (id, "job \(id) queued again")
    case .resumed(let id):
      _ = try await act("pause", id)
      return (id, "job \(id) paused again")
    case .moved(let id, let place, let priority):
      _ = try await move(id, to: place)
      try await change(id, "priority", "\(priority)")
      return (id, "job \(id) is where it was")
    }
  }

  private func restore(_ id: JobID) async throws(Failure) -> (id: JobID, report: String) {
    let back = try await act("undo", id)["id"]?.integer ?? id
    return (back, "job \(id) is back as job \(back)")
  }

  func add(_ urls: [String]) async throws -> String {
    let order = RemoteCommand.Adding(urls: urls)
    return Self.queued(try await RemoteExecution.added(order, calls))
  }

  func limit(_ text: String) async throws(Failure) -> String {
    let present = try await calls.call("GET", "/limits")
    let limits = try RemoteReport.limits(RemoteCommand.Limits(rate: text), from: present)
    let now = try await calls.call("PUT", "/limits", limits)
    return "limit of all runners: \(now["overallRate"]?.string ?? "none")"
  }

  func limit(_ text: String, of id: JobID) async throws(Failure) -> String {
    let rate = text == "off" || text == "auto" ? "" : text
    try await change(id, "limit-rate", rate)
    return "job \(id): \(rate.isEmpty ? "no limit" : rate)"
  }

  private func change(_ id: JobID, _ name: String, _ value: String) async throws(Failure) {
    let setting = GivenSetting(name: name, values: value.isEmpty ? [] : [value])
    try await calls.call("PATCH", "/jobs/\(id)", try RemoteReport.changes([setting]))
  }

  /// Applies an action to one job.
  /// - Throws: The error that the service reports, or the reason why the job cannot be changed.
  private func act(_ action: String, _ id: JobID) async throws(Failure) -> JSONNode {
    let answer = try await calls.call("POST", "/jobs/\(id)/\(action)", JSONText.emptyObject)
    guard let result = answer["results"]?.array?.first else { throw JobIDs.unknown(id) }
    switch result["result"]?.string {
    case "done": return result
    case "unknown": throw JobIDs.unknown(id)
    default: throw Failure(.other, "job \(id)", result["message"]?.string ?? "the service refused it")
    }
  }
}

extension JSONText {
  fileprivate static var emptyObject: JSONText {
    var json = JSONText()
    json.beginObject()
    json.endObject()
    return json
  }
}
