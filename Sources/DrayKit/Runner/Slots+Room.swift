// Decides which jobs may start, by the answers of servers and by the number of jobs without an answer.

internal import DrayEngine
internal import Synchronization
internal import Threads

extension Slots {
  // MARK: For the runner

  /// The holds that the store does not have yet; until ``recorded(_:)`` is called, no job of these origins starts.
  var pendingHolds: [OriginHold] { state.withLock { $0.room.pending } }

  /// Records that the store has these holds now, and that jobs claimed before were given back.
  func recorded(_ holds: [OriginHold]) { state.withLock { $0.room.recorded(holds) } }

  /// Sets the number of jobs of each origin that have had no answer for a while.
  /// - Returns: Whether the numbers have changed.
  func setSilent(_ silent: [String: Int]) -> Bool {
    state.withLock { state in
      guard state.silent != silent else { return false }
      state.silent = silent
      return true
    }
  }

  /// Returns the number of complete files that an origin has delivered since the first call of this method for it.
  func served(by origin: String) -> Int {
    state.withLock { state in
      if state.served[origin] == nil, state.served.count >= 1024 { state.served = [:] }
      let count = state.served[origin] ?? 0
      state.served[origin] = count
      return count
    }
  }

  /// Handles the head of an answer, or of a redirect.
  func heard(_ head: ResponseHead, from url: RequestURL, of job: Job) {
    let outside = state.withLock { state in
      state.heard(head, from: url, of: job)
      return state.room.isEmpty ? nil : state.outside
    }
    outside?.notify(true)
  }
}

extension Slots.State {
  /// The maximum number of jobs that run at once.
  var limit: Int { growth.limit(besides: silent.values.reduce(0, +)) }

  /// Whether there are free slots only because other jobs have no answer yet.
  var hasOnlyExtraSlots: Bool { !silent.isEmpty && running >= growth.limit && limit > growth.limit }

  /// Whether a job of an origin may start if there is a free slot.
  func mayStart(_ origin: String) -> Bool {
    guard origins.room(at: origin) > 0, room.isEmpty || room.admits(origin, now: WallClock.now()) else { return false }
    // A server that does not answer gets no additional requests.
    return !hasOnlyExtraSlots || silent[origin] == nil && origins.count(of: origin) < JobGrowth.few
  }

  /// Returns the number of an origin's jobs that may be waiting for an answer.
  func unanswered(_ origin: String) -> Int {
    origins.count(of: origin) - larger.values.count { $0.origin == origin }
  }

  /// Handles the end of a transfer that failed.
  mutating func heard(_ outcome: TransferOutcome, of job: Job) {
    guard case .failed(let failure) = outcome.end else { return }
    if let head = outcome.response?.head { heard(head, from: outcome.lastURL, of: job) }
    guard failure.recovery == .retry, let delay = failure.retryAfter else { return }
    hold(job, outcome.lastURL, delay: delay, by: failure.waitAskedBy ?? failure.subject, failure.httpStatus)
  }

  /// Returns whether a head may change which jobs start; most heads do not.
  func mustHear(_ head: ResponseHead) -> Bool { !room.isEmpty || ServerWait.mayBeIn(head) }

  /// Handles the head of an answer, or of a redirect.
  mutating func heard(_ head: ResponseHead, from url: RequestURL, of job: Job) {
    guard mustHear(head) else { return }
    let now = WallClock.now()
    let wait = ServerWait(head, now: Int64(now))
    let own = ReservedJob.origin(of: job)
    // This job itself has an answer.
    let others = max(0, unanswered(own) - (larger[job.id] == nil ? 1 : 0))
    let isOwn = url.origin.description == own
    room.heard(wait, of: own, others: others, isOwn: isOwn, now: now)
    // The delay in a refusal is handled with the failure, because that code knows which statuses count as temporary for
    // the user.
    if let delay = wait.delay, head.status < 400 || wait.remaining == 0 {
      hold(job, url, delay: delay, by: url.description, head.status)
    }
  }

  /// Applies a hold to the origin of a job and to the origin of the answer. A job with mirrors tries another mirror
  /// instead of waiting.
  private mutating func hold(_ job: Job, _ url: RequestURL, delay: Int64, by asker: String, _ status: Int?) {
    guard delay > 0, (job.specification.options.mirrors ?? []).isEmpty else { return }
    let now = WallClock.now()
    for origin in Set([job.specification.request.url.origin, url.origin]) {
      room.hold(
        OriginHold(origin, until: now + Double(delay), since: now, job: job.id, askedBy: asker, status: status))
    }
  }
}
