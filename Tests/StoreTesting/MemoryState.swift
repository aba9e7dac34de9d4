// The state of a store in memory: its rows, and the rules for every change.

import DrayCore
import DrayStore
import Foundation

/// A job, and its columns that are not part of the record.
struct MemoryRow: Sendable {
  var job: Job
  var command: JobCommand?
  var rank: Double?
  /// The start of its wait. If the clock is earlier, it was set back, and the wait is void (D7).
  var waitingSince: Double?
  var submittedAt: Double?
  var digestRetries: Int64 = 0
  var bodyName: String?
  var sums = BlockSums()
  var expected: ExpectedVersion?
  /// The digests that the server offered for the file under repair.
  var expectedOffers: [SourcedDigest] = []
  var cookies: [String] = []
  /// The hold that it may ignore once.
  var pass: OriginHold?
  /// The prerequisites that are not complete.
  var prerequisites: Set<JobID> = []
  var attempts: [(number: Int64, attempt: AttemptRecord)] = []

  var origin: String { job.specification.request.url.origin.description }
  var place: Double { rank ?? Double(job.id) }
  var isRepair: Bool { expected?.repaired != nil }
  var hasTarget: Bool { !job.state.isFinished && job.fileName != nil }

  /// The time at which its window opens; `now` if it is open.
  func opening(_ now: Double, _ zone: LocalZone) -> Double {
    job.specification.window.map { $0.opening(at: now, zone: zone) ?? .infinity } ?? now
  }

  /// Whether a wait until `time` is over or void.
  func isOver(_ time: Double?, _ now: Double) -> Bool { time.map { $0 <= now || (waitingSince ?? now) > now } ?? true }

  func isBefore(_ other: MemoryRow) -> Bool {
    let (mine, others) = (job.specification.priority, other.job.specification.priority)
    return mine == others ? (place, job.id) < (other.place, other.job.id) : mine > others
  }

  /// Forgets the claimed bytes.
  mutating func forgetBytes() {
    job.checkpoint = Checkpoint(size: job.checkpoint.size)
    bytesChanged()
  }

  /// Removes the checksums when no bytes are left.
  mutating func bytesChanged() {
    guard job.checkpoint.segments.isEmpty else { return }
    sums = BlockSums()
    if !isRepair { expected = nil }
  }

  /// Resets everything except the state and the name.
  mutating func startOver() {
    let isRepair = isRepair
    job.checkpoint = Checkpoint()
    bytesChanged()
    (job.publishing, digestRetries) = (nil, 0)
    if !isRepair {
      (job.published, job.digest, job.digestSource, job.response) = (nil, nil, nil, nil)
      expected = nil
    }
    (job.retry, job.notBefore, waitingSince) = (RetryRecord(), nil, nil)
    (job.specification.startAt, job.finishedAt, job.failure, job.note, submittedAt) = (nil, nil, nil, nil, nil)
  }

  /// Queues it to start over, as its holder was told.
  mutating func queueAgain() {
    (job.state, job.runner, command) = (.queued, nil, nil)
    if job.specification.output == nil, !isRepair { job.fileName = nil }
    startOver()
  }

  /// Records a checkpoint.
  mutating func claim(_ checkpoint: Checkpoint) {
    job.checkpoint = checkpoint
    job.checkpoint.sums = BlockSums()
    bytesChanged()
    sums = checkpoint.sums
  }

  mutating func add(_ attempt: AttemptRecord, _ number: inout Int64) {
    number += 1
    attempts.append((number, attempt))
    if attempts.count > 100 { attempts.removeFirst() }
  }

  /// The job as readers see it.
  var shown: Job {
    var job = job
    if job.published != nil, job.checkpoint.provenance == nil, let response = job.response {
      job.checkpoint.provenance = Provenance(response.head, from: response.finalURL)
    }
    if job.published == nil { job.specification.options.repairs = nil }
    return job
  }
}

/// The whole state of a queue.
struct MemoryState: Sendable {
  var rows: [JobID: MemoryRow] = [:]
  var lastJob: JobID = 0
  var lastAttempt: Int64 = 0
  var groups: [StoredGroup] = []
  var lastGroup: GroupID = 0
  var settings: [String: String] = [:]
  var queues: [String: NamedQueue] = [:]
  var marks: Set<FeedMark> = []
  var uploads: [UploadMark] = []
  var documents: [String: StoredDocument] = [:]
  var hsts: [HSTSEntry] = []
  var altSvc: [AltSvcEntry] = []
  var helpful: [HelpfulCount: [String: (count: Int, at: Double)]] = [:]
  var paces: [String: PaceRecord] = [:]
  var holds: [String: OriginHold] = [:]
  var runners: Set<UUID> = []
  var boards: [UUID: RunnerBoard] = [:]
  var version = 0

  /// Returns the rows that match, ordered by number.
  func sorted(where isWanted: (MemoryRow) -> Bool = { _ in true }) -> [MemoryRow] {
    rows.values.filter(isWanted).sorted { $0.job.id < $1.job.id }
  }

  mutating func edit(_ id: JobID, _ change: (inout MemoryRow) -> Void) {
    guard var row = rows[id] else { return }
    change(&row)
    rows[id] = row
  }

  /// Changes a job that `runner` holds, unless `pending` forbids it because of a command.
  /// - Returns: Whether the job was changed.
  @discardableResult
  mutating func update(
    _ id: JobID, _ runner: UUID, pending: PendingCommandRule = .drop, attempt: AttemptRecord? = nil,
    _ change: (inout MemoryRow) -> Void
  ) -> Bool {
    guard var row = rows[id], row.job.runner == runner else { return false }
    switch pending {
    case .drop: break
    case .yield: if row.command != nil { return false }
    case .carryOut(let command): if row.command != command { return false }
    }
    change(&row)
    if let attempt { row.add(attempt, &lastAttempt) }
    rows[id] = row
    return true
  }

  /// Carries out the consequences of a job's completion.
  mutating func completed(_ id: JobID) {
    for other in rows.keys where rows[other]?.prerequisites.contains(id) == true {
      rows[other]?.prerequisites.remove(id)
    }
    endHold(passedBy: id)
    rows[id]?.expected = nil
  }

  mutating func endHold(passedBy id: JobID) {
    guard let since = rows[id]?.pass?.since else { return }
    endHolds { $0.since == since }
  }

  /// Ends holds. A refused job's own wait goes on.
  mutating func endHolds(where isOver: (OriginHold) -> Bool) {
    holds = holds.filter { !isOver($0.value) }
  }

  mutating func delete(_ id: JobID) {
    guard let row = rows.removeValue(forKey: id), let group = row.job.group?.id else { return }
    if !rows.values.contains(where: { $0.job.group?.id == group }) { groups.removeAll { $0.label.id == group } }
  }

  /// Whether a job may ignore the hold on its origin once.
  func passes(_ row: MemoryRow) -> Bool { row.pass.map { $0.since == holds[row.origin]?.since } ?? false }

  mutating func pass(_ id: JobID) {
    if let hold = rows[id].flatMap({ holds[$0.origin] }) { rows[id]?.pass = hold }
  }

  /// Returns the hold that delays a job.
  func hold(on row: MemoryRow, _ now: Double) -> OriginHold? {
    holds[row.origin].flatMap { $0.isInForce(at: now) && !passes(row) ? $0 : nil }
  }

  // MARK: Targets

  /// Returns the unfinished job that has a target.
  func targetOwner(_ name: String, in directory: String, at server: String, besides job: JobID) -> TargetClash? {
    sorted {
      $0.hasTarget && $0.job.fileName == name && $0.job.specification.directory == directory && $0.job.id != job
        && $0.job.specification.targetServer == server
    }
    .first.map { row in
      TargetClash(
        job: row.job.id, state: row.job.state,
        wasSubmitted: row.submittedAt != nil && !row.job.specification.request.isSafe)
    }
  }

  func freeName(
    _ name: String, in directory: String, at server: String? = nil, policy: ConflictPolicy, besides job: JobID = 0,
    taken: Set<String> = []
  ) throws(Failure) -> String {
    let own = rows[job]?.job.specification.options.object?.access?.signature.server ?? ""
    let server = server ?? (ObjectPlace.isMeant(by: directory) ? own : "")
    func owner(_ name: String) -> TargetClash? { targetOwner(name, in: directory, at: server, besides: job) }
    let first = owner(name)
    if policy != .rename {
      guard let first else { return name }
      throw first.failure(PathText.join(directory, name))
    }
    if first == nil, !taken.contains(name) { return name }
    var number = 1
    while true {
      let numbered = FileName.numbered(name, number)
      if owner(numbered) == nil, !taken.contains(numbered) { return numbered }
      number += 1
    }
  }

  /// Chooses the name of a job without bytes again, as if it were added now.
  mutating func nameAgain(_ id: JobID) throws(Failure) {
    guard let job = rows[id]?.job else { return }
    let specification = job.specification
    guard specification.options.repairs == nil || job.fileName == nil else { return }
    guard let output = specification.output else {
      rows[id]?.job.fileName = nil
      return
    }
    let name = try freeName(
      job.fileName ?? output, in: specification.directory, policy: specification.options.onConflict, besides: id)
    rows[id]?.job.fileName = name
  }

  // MARK: Prerequisites

  /// Returns the direct and indirect dependents of a job.
  func dependents(of id: JobID) -> Set<JobID> {
    var (found, next): (Set<JobID>, [JobID]) = ([], [id])
    while let one = next.popLast() {
      for row in rows.values where row.prerequisites.contains(one) && found.insert(row.job.id).inserted {
        next.append(row.job.id)
      }
    }
    return found
  }

  private func refusal(_ id: JobID, _ reason: String, _ advice: Advice) -> Failure {
    Failure(.usage, "job \(id)", reason, advice: advice)
  }

  mutating func wait(_ job: JobID, for others: [JobID]) throws(Failure) {
    for other in others {
      switch rows[other]?.job.state {
      case nil: throw refusal(other, "no such job to wait for", "\(.list) shows all")
      case .failed?: throw refusal(other, "it has failed", "\(.retry, other) starts it over")
      case .complete?: continue
      default: break
      }
      if other == job || dependents(of: job).contains(other) {
        throw refusal(job, "it cannot wait for job \(other), which waits for it", "omit \(other)")
      }
      rows[job]?.prerequisites.insert(other)
    }
  }

  mutating func wait(existing job: JobID, for others: [JobID]) throws(Failure) {
    let unmet = others.filter { rows[$0]?.job.state != .complete }
    guard !unmet.isEmpty, let row = rows[job] else { return }
    if row.job.attempts > 0 || ![.queued, .paused].contains(row.job.state), unmet != [job] {
      throw refusal(job, "it has already started, so it cannot wait for others", "omit \(.after)")
    }
    try wait(job, for: unmet)
  }

  mutating func failDependents(of ids: [JobID], now: Double? = nil) {
    var ended = ids
    while let id = ended.popLast() {
      let waiting = sorted { $0.prerequisites.contains(id) && [.queued, .paused].contains($0.job.state) }
      let cause = rows[id]
      for row in waiting {
        let (kind, words, advice): (Failure.Kind, String, Advice?)
        if let cause {
          let failure = cause.job.failure
          kind = failure?.kind ?? .other
          if cause.prerequisites.isEmpty {
            words = "failed" + (failure.map { ": \($0.subject): \($0.reason)" } ?? "")
            advice = "\(.retry, id) tries all of them again"
          } else {
            (words, advice) = ("cannot start", failure?.advice)
          }
        } else {
          (kind, words, advice) = (.other, "was removed before it was complete", nil)
        }
        let job = row.job.id
        rows[job]?.job.state = .failed
        rows[job]?.job.failure = Failure(
          kind, URLRedaction.redacted(row.job.specification.request.url.string),
          "it waits for job \(id), which \(words)",
          advice: advice ?? "\(.retry, job) fetches it anyway")
        rows[job]?.job.finishedAt = now ?? Date().timeIntervalSince1970
        edit(job) { ($0.job.notBefore, $0.waitingSince, $0.job.specification.startAt) = (nil, nil, nil) }
        ended.append(job)
      }
    }
  }

  func failedDependents(of id: JobID) -> [JobID] {
    dependents(of: id).filter { rows[$0]?.job.state == .failed }.sorted()
  }

  // MARK: Repairs, and requests that must not be repeated

  /// Makes a job complete again after an unsuccessful repair.
  /// - Returns: Whether the job was under repair.
  mutating func takeBackRepair(_ id: JobID, note: String?, now: Double?) -> Bool {
    guard var row = rows[id], let expected = row.expected, let validators = expected.repaired,
      let size = row.job.published?.size
    else { return false }
    (row.job.state, row.job.runner, row.command, row.job.failure) = (.complete, nil, nil, nil)
    row.job.checkpoint = Checkpoint(segments: SegmentSet(0..<size), size: size, validators: validators)
    row.job.checkpoint.offered = row.expectedOffers
    row.job.note = note ?? row.job.note
    row.job.finishedAt = now ?? row.job.finishedAt
    row.sums = expected.sums
    rows[id] = row
    completed(id)
    return true
  }

  mutating func recordUnanswered(_ id: JobID) {
    guard let row = rows[id], row.submittedAt != nil, row.job.publishing == nil else { return }
    let request = row.job.specification.request
    rows[id]?.job.failure = SubmissionRule.unanswered(
      .network, request.method, subject: request.url.description, reason: "the process that sent it ended", job: id)
  }

  // MARK: Claiming

  /// Gives free jobs to a runner.
  mutating func take(_ ids: [JobID], _ runner: UUID) -> [Job] {
    ids.compactMap { id in
      guard var row = rows[id] else { return nil }
      (row.job.state, row.job.runner, row.command) = (.active, runner, nil)
      row.job.attempts += 1
      (row.job.notBefore, row.waitingSince, row.job.specification.startAt) = (nil, nil, nil)
      rows[id] = row
      return row.shown
    }
  }

  /// Returns a runner's counts, plus the jobs of other runners.
  func withOthers(_ jobs: JobsPerOrigin, _ runner: UUID) -> JobsPerOrigin {
    guard jobs != .unlimited else { return jobs }
    var all = jobs
    for row in rows.values where row.job.runner != nil && row.job.runner != runner && row.job.publishing == nil {
      all.add(1, ofOthersAt: row.origin)
    }
    return all
  }

  /// Returns gates with the active jobs of all runners.
  func withActive(_ gates: QueueGates) -> QueueGates {
    var all = gates
    for row in rows.values where row.job.runner != nil && row.job.publishing == nil {
      all.add(1, to: row.job.specification.queue)
    }
    return all
  }

  /// Returns the earliest time at which a queued job can be claimed; `nil` if there is none.
  func nextDue(
    _ jobs: JobsPerOrigin, _ queues: QueueGates, _ now: Double, _ zone: LocalZone, _ isMember: (MemoryRow) -> Bool
  ) -> Double? {
    let waiting = queues.waiting
    return rows.values.filter { row in
      row.job.state == .queued && row.prerequisites.isEmpty && jobs.room(at: row.origin) > 0 && isMember(row)
        && !(row.job.specification.queue.map(waiting.contains) ?? false)
    }.map { row in
      let waits = [row.job.notBefore, row.job.specification.startAt].map { row.isOver($0, now) ? now : $0 ?? now }
      let held = holds[row.origin].flatMap { $0.since <= now && !passes(row) ? $0.until : nil } ?? now
      let opens = row.job.specification.queue.flatMap { queues.until[$0] } ?? now
      return max(waits[0], waits[1], held, opens, row.opening(now, zone))
    }.min()
  }
}
