// The order of the jobs, and their names (GIDs), as aria2's clients see them. The store keeps neither, so they are kept
// here and are read again when the store changes.

internal import DrayCore
internal import DrayStore

/// Belongs to one ``ManagerQueue`` and runs as a part of it: a further actor would cost each call two changes of
/// executors.
final class Aria2Records {
  /// The number of jobs read at once: a larger number would need more memory, and a smaller one more time.
  private static let page = 1000

  private let jobs: any JobReading
  private var lists: [Aria2Status.List: (mark: ChangeMark, ids: [JobID])] = [:]
  private var named: [GID: JobID] = [:]
  /// The largest job number whose GID is kept here.
  private var last: JobID = 0
  /// The jobs as last read, valid until the store changes.
  private var known = Known()
  /// The GIDs that clients have chosen, which replace the jobs' own.
  private var chosen: [JobID: GID] = [:]

  init(_ jobs: any JobReading) { self.jobs = jobs }

  // MARK: Changes

  /// The time for which jobs that were read stay valid. Clients that ask thousands of times per second all get the same
  /// reading.
  private static let patience = Duration.milliseconds(20)
  private var lastMark: (mark: ChangeMark, until: ContinuousClock.Instant)?
  /// The number of calls that changed something.
  private var changes = 0

  /// Records that a call changed something, so that the next call reads the jobs again.
  func changed() {
    lastMark = nil
    changes += 1
  }

  /// The time until which jobs that are read now stay valid; `nil` if they are not valid any more.
  var validUntil: ContinuousClock.Instant? { lastMark?.until }

  private nonisolated(nonsending) func mark() async throws(Failure) -> ChangeMark {
    let now = ContinuousClock.now
    if let lastMark, lastMark.until > now { return lastMark.mark }
    let before = changes
    let mark = try await jobs.changeMark()
    // A mark that was read before a change must not hide it.
    if changes == before { lastMark = (mark, now.advanced(by: Aria2Records.patience)) }
    return mark
  }

  // MARK: Names

  func choose(_ gid: GID, for id: JobID) {
    chosen[id] = gid
    named[gid] = id
    known = Known()
  }

  func gid(chosenFor id: JobID) -> GID? { chosen[id] }

  func forget(_ ids: [JobID]) {
    let gone = Set(ids)
    named = named.filter { !gone.contains($0.value) }
    for id in ids { chosen[id] = nil }
  }

  /// Returns the jobs whose GID begins with a prefix, but at most two, because two already show that the prefix is
  /// ambiguous. Some of these jobs may have been removed.
  nonisolated(nonsending) func ids(_ prefix: GID) async throws(Failure) -> [JobID] {
    if prefix.isFull, let id = named[prefix] { return [id] }
    try await nameNewJobs()
    if prefix.isFull { return named[prefix].map { [$0] } ?? [] }
    return Array(Set(named.lazy.filter { prefix.begins($0.key) }.map(\.value)).prefix(2))
  }

  /// Records the GIDs of new jobs. The store does not reuse numbers, so only jobs after the last known number can be
  /// new.
  private nonisolated(nonsending) func nameNewJobs() async throws(Failure) {
    while true {
      let page = try await jobs.summaries(after: last, states: nil, limit: Aria2Records.page)
      for job in page where chosen[job.id] == nil { named[GID(uuid: job.uuidText)] = job.id }
      last = max(last, page.last?.id ?? 0)
      if page.count < Aria2Records.page { return }
    }
  }

  // MARK: Jobs

  private struct Known {
    var mark: ChangeMark?
    /// The jobs that were read: under `true` with mirrors and segments, under `false` without.
    var jobs: [Bool: [JobID: Aria2Job]] = [:]
    /// The maximum number of jobs that are kept here; clients do not read more than that repeatedly.
    static let most = 10_000
  }

  /// Returns the jobs with these numbers, without the progress that runners report.
  nonisolated(nonsending) func jobs(_ ids: [JobID], isWhole: Bool) async throws(Failure) -> [JobID: Aria2Job] {
    let mark = try await mark()
    if known.mark != mark || known.jobs[isWhole, default: [:]].count > Known.most { known = Known(mark: mark) }
    var found: [JobID: Aria2Job] = [:]
    for id in ids { found[id] = known.jobs[isWhole]?[id] }
    let missing = ids.filter { found[$0] == nil }
    guard !missing.isEmpty else { return found }
    var read: [Aria2Job]
    if isWhole {
      read = try await jobs.jobs(ids: missing).map { Aria2Job($0, live: nil) }
    } else {
      read = try await jobs.summaries(ids: missing).map { Aria2Job($0, live: nil) }
    }
    for index in read.indices {
      if let gid = chosen[read[index].id] { read[index].gid = gid }
      found[read[index].id] = read[index]
    }
    // Another call may have seen a later change while this one read.
    if known.mark == mark {
      for job in read { known.jobs[isWhole, default: [:]][job.id] = job }
    }
    return found
  }

  // MARK: Orders

  nonisolated(nonsending) func ids(_ list: Aria2Status.List) async throws(Failure) -> [JobID] {
    let mark = try await mark()
    if let known = lists[list], known.mark == mark { return known.ids }
    var all = try await summaries(list.states)
    all.removeAll { Aria2Status($0.state, hasFailed: $0.failureText != nil).list != list }
    switch list {
    case .active: break
    case .waiting: all.sort { ($1.priority, $0.rank, $0.id) < ($0.priority, $1.rank, $1.id) }
    case .stopped: all.sort { ($0.finishedAt ?? $0.addedAt, $0.id) < ($1.finishedAt ?? $1.addedAt, $1.id) }
    }
    let ids = all.map(\.id)
    lists[list] = (mark, ids)
    return ids
  }

  private nonisolated(nonsending) func summaries(_ states: Set<JobState>) async throws(Failure) -> [JobSummary] {
    var all: [JobSummary] = []
    while true {
      let page = try await jobs.summaries(after: all.last?.id ?? 0, states: states, limit: Aria2Records.page)
      all += page
      if page.count < Aria2Records.page { return all }
    }
  }
}

extension Aria2Status.List {
  fileprivate var states: Set<JobState> {
    switch self {
    case .active: [.active]
    case .waiting: [.queued, .paused, .interrupted]
    case .stopped: [.complete, .failed, .interrupted]
    }
  }
}
