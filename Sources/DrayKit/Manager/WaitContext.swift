internal import DrayEngine
package import DrayStore
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

/// Decides what jobs wait for, from the facts at one moment: the time, the named queues, and the runners. All displays
/// of jobs use ``reason(_:at:)``.
package final class WaitContext: Sendable {
  /// The time, in seconds since 1970.
  package let now: Double
  private let zone: LocalZone
  /// The named queues that are closed.
  private let queues: [String: QueueGate]
  /// The limits of the named queues that are full.
  private let full: [String: Int]
  /// The time at which the window of all runs opens; `nil` if it is open.
  private let runOpening: Double?
  private let leaseAges: [UUID: Double]
  /// The limit on jobs of one origin and the numbers of active jobs, if known.
  private let origins: (limit: Int, active: [String: Int])?
  /// The limits of origins that have refused more jobs.
  private let refused: [String: Int]
  /// The openings of closed windows, cached because 100,000 jobs of a list may share a window.
  private let openings = Mutex<(now: Double, known: [String: Double?])>((0, [:]))

  /// Creates a context.
  /// - Parameters:
  ///   - queues: The gates of named queues.
  ///   - full: The limits of named queues that have as many active jobs as they allow.
  ///   - opening: The time at which the window of all runs opens; `nil` if it is open.
  ///   - runners: The live runners.
  ///   - origins: The limit on the jobs of one origin, and the numbers of active jobs; `nil` if unknown.
  ///   - refused: The limits of origins that have refused more jobs.
  package init(
    now: Double, zone: LocalZone = .current, queues: [String: QueueGate] = [:], full: [String: Int] = [:],
    opening: Double? = nil, runners: [RunnerRecord] = [], origins: (limit: Int, active: [String: Int])? = nil,
    refused: [String: Int] = [:]
  ) {
    (self.full, runOpening) = (full, opening)
    (self.now, self.zone, self.origins, self.refused) = (now, zone, origins, refused)
    self.queues = queues.filter { $0.value != .open }
    leaseAges = runners.reduce(into: [:]) { ages, one in ages[one.runner] = one.leaseAge }
  }

  /// Returns what a job waits for; `nil` if only for its turn, or for nothing.
  /// - Parameter time: The present time; `nil` for ``now``.
  package func reason(_ job: JobSummary, at time: Double? = nil) -> WaitReason? {
    reason(job, hold: job.state == .queued ? job.hold : nil, time ?? now)
  }

  /// Returns what a job waits for; `nil` if only for its turn, or for nothing.
  /// - Parameters:
  ///   - prerequisites: The jobs that must be complete first.
  ///   - hold: The hold on the job's origin.
  package func reason(_ job: Job, waitsFor prerequisites: [JobID], hold: OriginHold?) -> WaitReason? {
    reason(JobSummary(job, rank: 0, waitsFor: prerequisites), hold: hold, now)
  }

  private func reason(_ job: JobSummary, hold: OriginHold?, _ now: Double) -> WaitReason? {
    guard !job.state.isFinished else { return nil }
    var facts = WaitFacts(job.state)
    facts.waitsFor = job.waitsFor
    facts.startAt = job.startAt
    facts.queue = job.queue.flatMap { name in queues[name].map { (name, $0) } }
    facts.hold = hold
    complete(&facts, queue: job.queue, window: job.windowText, now)
    facts.notBefore = job.notBefore
    if job.state == .interrupted { facts.failure = job.failure }
    if job.state == .queued, origins != nil { facts.origin = origin(of: job.url) }
    facts.leaseAge = job.runner.flatMap { leaseAges[$0] }
    return WaitReason.decide(facts, now: now)
  }

  /// Adds facts about the windows, and about the limit of the named queue.
  private func complete(_ facts: inout WaitFacts, queue: String?, window: String?, _ now: Double) {
    facts.fullQueue = queue.flatMap { name in full[name].map { (name, $0) } }
    let own = window.flatMap { opening($0, now) }
    // A paused job waits for the user, so only the job's own times matter.
    let all = facts.state == .queued ? runOpening.flatMap { $0 > now ? $0 : nil } : nil
    facts.opening = own.map { max($0, all ?? $0) } ?? all
  }

  private func origin(of url: String) -> OriginRoom? {
    guard let origins, let name = try? RequestURL.parse(url).url.origin.description else { return nil }
    let refused = refused[name].flatMap { $0 < origins.limit ? $0 : nil }
    return OriginRoom(
      name: name, active: origins.active[name] ?? 0, limit: refused ?? origins.limit, hasRefused: refused != nil)
  }

  /// Returns when a window opens; `nil` if it is open.
  private func opening(_ text: String, _ now: Double) -> Double? {
    openings.withLock { state in
      if state.now != now { state = (now, [:]) }
      if let opening = state.known[text] { return opening }
      let window = try? TransferWindow.parse(text)
      let isOpen = window?.isOpen(at: now, zone: zone) ?? true
      let opening = isOpen ? nil : window?.opening(at: now, zone: zone)
      state.known[text] = .some(opening)
      return opening
    }
  }
}

extension DownloadManager {
  /// Returns the context at this moment. It only reads, and so waits for no writer.
  /// - Parameter limit: The limit on jobs of one origin that the runner of this process has, if any.
  /// - Throws: Kind `store`.
  package func waitContext(limit: Int? = nil) async throws(Failure) -> WaitContext {
    let now = WallClock.now()
    let zone = LocalZone.current
    let queues = try await store.queues()
    let refused = try await store.helpful(.jobs, now: now).filter { $0.value < JobGrowth.few }
    let limited = queues.filter { $0.settings.jobs != nil }
    let counts = try await limited.isEmpty ? [:] : store.queueCounts()
    let window = try await self.window()?.window
    var active: [String: Int] = [:]
    if limit != nil || !refused.isEmpty {
      for job in try await store.summaries(ids: try await store.progress().keys.sorted()) {
        if let url = try? RequestURL.parse(job.url).url { active[url.origin.description, default: 0] += 1 }
      }
    }
    return WaitContext(
      now: now, zone: zone,
      queues: queues.reduce(into: [:]) { gates, queue in gates[queue.name] = queue.gate(at: now, zone: zone) },
      full: limited.reduce(into: [:]) { full, queue in
        let active = counts[queue.name]?[.active] ?? 0
        full[queue.name] = queue.settings.jobs.flatMap { $0 <= active ? $0 : nil }
      },
      opening: window.flatMap { $0.isOpen(at: now, zone: zone) ? nil : $0.opening(at: now, zone: zone) },
      runners: isShared ? try await store.runnerRecords() : [],
      origins: limit != nil || !refused.isEmpty ? (limit ?? .max, active) : nil, refused: refused)
  }
}
