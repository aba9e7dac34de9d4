// Decides what a job waits for, if not only for its turn. Tables, JSON, the API and the full screen all show this
// answer.

/// The reason why a job does not start.
package enum WaitReason: Sendable, Equatable {
  /// Other jobs must be complete first.
  case prerequisites([JobID])
  /// The job's start time has not come.
  case start(at: Double)
  /// The job's named queue is closed.
  case queue(String, QueueGate)
  /// The job's named queue already has its maximum number of active jobs.
  case queueRoom(String, limit: Int)
  /// A server asked the jobs of the origin to wait.
  case hold(OriginHold)
  /// The job's window is closed until this time.
  case window(opening: Double)
  /// An attempt failed temporarily; this is the time of the next one.
  case retry(at: Double)
  /// The server asked for a longer wait than the job allows, so the job was stopped until this time.
  case longWait(until: Double)
  /// The disk was full when the job was stopped.
  case disk(String)
  /// The job's origin already has its maximum number of jobs. `hasRefused` says whether the limit comes from the fact
  /// that the origin refused jobs a short time ago.
  case origin(String, limit: Int, hasRefused: Bool)
  /// The job's runner has not renewed its lease; other runners can claim the job when the lease ends.
  case lease(age: Double)

  /// The word that programs read.
  package var name: String {
    switch self {
    case .prerequisites: "prerequisite"
    case .start: "start"
    case .queue, .queueRoom: "queue"
    case .hold: "hold"
    case .window: "window"
    case .retry, .longWait: "retry"
    case .disk: "disk"
    case .origin: "origin"
    case .lease: "lease"
    }
  }

  /// The time at which the reason ends, in seconds since 1970, if that is known.
  package var until: Double? {
    switch self {
    case .start(let time), .window(let time), .retry(let time), .longWait(let time): time
    case .hold(let hold): hold.until
    case .queue(_, .spent(let time)), .queue(_, .closed(let time)): time
    case .prerequisites, .queue, .queueRoom, .disk, .origin, .lease: nil
    }
  }
}

/// The active jobs of one origin, and their maximum.
package struct OriginRoom: Sendable, Equatable {
  /// The origin.
  package var name: String
  /// The number of active jobs.
  package var active: Int
  /// The maximum number of active jobs.
  package var limit: Int
  /// Whether the limit comes from the fact that the origin refused jobs.
  package var hasRefused: Bool

  /// Creates the value.
  package init(name: String, active: Int, limit: Int, hasRefused: Bool = false) {
    (self.name, self.active, self.limit, self.hasRefused) = (name, active, limit, hasRefused)
  }
}

/// The facts that decide why a job waits.
package struct WaitFacts: Sendable, Equatable {
  /// The state.
  package var state: JobState
  /// The prerequisites that are not complete.
  package var waitsFor: [JobID] = []
  /// The start time that the user chose, in seconds since 1970.
  package var startAt: Double?
  /// The job's named queue, if it is closed; otherwise `nil`.
  package var queue: (name: String, gate: QueueGate)?
  /// The job's named queue and its maximum of active jobs, if that many are active; otherwise `nil`.
  package var fullQueue: (name: String, limit: Int)?
  /// The hold on the job's origin; `nil` also if the job may send a request in spite of the hold.
  package var hold: OriginHold?
  /// The time at which both the job's window and the window of all runs are open; `nil` if they are open now.
  package var opening: Double?
  /// The earliest time of the next attempt, in seconds since 1970.
  package var notBefore: Double?
  /// The last failure.
  package var failure: Failure?
  /// The origin of the job, if the limit on its jobs is known.
  package var origin: OriginRoom?
  /// The number of seconds since the job's runner renewed its lease; `nil` if the lease needs no renewal.
  package var leaseAge: Double?

  /// From this age of a lease on, its runner counts as silent. Runners renew leases every few seconds.
  package static let silence = 15.0

  /// Creates the facts about a job that waits for nothing.
  package init(_ state: JobState) { self.state = state }

  /// Whether all facts are equal.
  package static func == (one: WaitFacts, other: WaitFacts) -> Bool {
    one.state == other.state && one.waitsFor == other.waitsFor && one.startAt == other.startAt
      && one.queue?.name == other.queue?.name && one.queue?.gate == other.queue?.gate && one.hold == other.hold
      && one.fullQueue?.name == other.fullQueue?.name && one.fullQueue?.limit == other.fullQueue?.limit
      && one.opening == other.opening && one.notBefore == other.notBefore && one.failure == other.failure
      && one.origin == other.origin && one.leaseAge == other.leaseAge
  }
}

extension WaitReason {
  /// Returns what a job waits for; `nil` if it waits only for its turn, or for nothing.
  package static func decide(_ facts: WaitFacts, now: Double) -> WaitReason? {
    switch facts.state {
    case .complete, .failed: return nil
    case .active:
      return facts.leaseAge.flatMap { $0 >= WaitFacts.silence ? .lease(age: $0) : nil }
    case .interrupted:
      if let time = facts.notBefore, time > now { return .longWait(until: time) }
      return disk(facts.failure)
    case .queued, .paused: break
    }
    if !facts.waitsFor.isEmpty { return .prerequisites(facts.waitsFor) }
    if let time = facts.startAt, time > now { return .start(at: time) }
    if facts.state == .queued, let (name, gate) = facts.queue, gate.isClosed(at: now) { return .queue(name, gate) }
    if facts.state == .queued, let hold = facts.hold, hold.isInForce(at: now) { return .hold(hold) }
    if let opening = facts.opening { return .window(opening: opening) }
    if let time = facts.notBefore, time > now { return .retry(at: time) }
    if facts.state == .queued, let (name, limit) = facts.fullQueue { return .queueRoom(name, limit: limit) }
    if facts.state == .queued, let origin = facts.origin, origin.active >= origin.limit {
      return .origin(origin.name, limit: origin.limit, hasRefused: origin.hasRefused)
    }
    return nil
  }

  private static func disk(_ failure: Failure?) -> WaitReason? {
    failure.flatMap { $0.kind == .file && $0.recovery == .wait ? .disk($0.reason) : nil }
  }
}
