// What a runner is given and what it gives back.

public import DrayCore
internal import DrayEngine

/// Which jobs a run is about.
public enum RunScope: Sendable {
  /// The whole queue.
  case all
  /// These jobs.
  case jobs([JobID])
}

/// How to run.
public struct RunOptions: Sendable {
  /// Jobs that are transferred at once.
  public var maxConcurrent = 5
  /// Jobs that are transferred at once from one origin, those of other runners included.
  public var maxJobsPerOrigin = 8
  /// Bytes a second of all together; `nil` is no limit.
  public var overallRate: Int64? {
    get { if case .fixed(let rate) = overallRule { rate } else { nil } }
    set { overallRule = .fixed(newValue) }
  }
  /// The same, where it may follow the clock. What ``DownloadManager/setLimit(_:)`` set comes before it.
  public var overallRule = RateRule.fixed(nil)
  /// The zone of the clock that it follows.
  public var zone = LocalZone.current
  /// Whether files are synced before they are published, and their directories after: without, a power cut may leave
  /// files that are called complete and are not. The end of the process is survived either way.
  public var syncs = true
  /// Whether to stay when nothing is left to do.
  public var waitsForMore = false
  /// What is run when a job ends.
  public var hooks = RunHooks()

  /// The defaults.
  public init() {}
}

/// What a run came to.
public struct RunSummary: Sendable, Equatable {
  /// Jobs that were completed.
  public var complete = 0
  /// Jobs that failed for good.
  public var failed = 0
  /// Jobs that stopped with their bytes kept, paused and removed ones among them.
  public var interrupted = 0
  /// How many of those were paused by hand.
  public var paused = 0
  /// How many of those were removed by hand.
  public var removed = 0
  /// The kinds of failure that jobs ended with.
  public var statuses: Set<ExitStatus> = []

  /// The exit status that the run gives by itself.
  public var exitStatus: ExitStatus { ExitStatus.combined(statuses) }
}

/// Why a transfer is stopped from outside.
enum StopReason: Sendable {
  /// The runner ends.
  case shutdown
  /// Somebody asked for it.
  case command(JobCommand)
  /// The target cannot be.
  case refuse(Failure)
  /// Something failed that may pass.
  case fails(Failure)
  /// The target is there, and the user wants it to stay.
  case skip(path: String)
  /// The target is of the version that the server has.
  case upToDate(ResponseRecord)
  /// It is this runner's no more: its files may be another's.
  case taken
  /// The store or the lease is of no use any more.
  case lost(Failure)
}

/// A job while a runner transfers it; the runner's own.
final class RunningJob {
  let job: Job
  /// The origin of its URL.
  let origin: String
  /// The order of beginning, for display.
  let order: Int
  /// When it began, in seconds since 1970.
  let startedAt: Double
  /// The same by a clock that only goes forward.
  let begunAt: Double
  /// Whether it still has its slot; without, it counts among the files that wait to be published.
  var hasSlot = true
  var phase = JobPhase.connecting
  /// The name of the target, where one was chosen.
  var chosenName: String?
  /// What it is called for people.
  var name: String { chosenName ?? TargetName.provisional(job) }
  /// The name of the target, where this attempt fixed it.
  var fixedName: String?
  var transfer: Transfer?
  /// The directory of its part file, held open by its attempt.
  var directory: TargetDirectory?
  /// The limit of this job alone.
  let limiter: RateLimiter
  var stop: StopReason?
  var answered = false
  /// Bytes and time of the last look, for the rate.
  var lastLook: (bytes: Int64, time: Double)?
  var rate = 0.0
  /// The search for lists of digests beside the file, where there is one.
  var search: DigestSearchTask?
  /// Why cookies that came could not be kept.
  var cookieFailure: Failure?

  init(_ one: ReservedJob, order: Int, at now: Double, time: Double) {
    (job, origin, limiter) = (one.job, one.origin, one.limiter)
    (self.order, begunAt, startedAt) = (order, now, time)
  }

  var received: Int64 { transfer?.received ?? job.checkpoint.segments.count }
  var size: Int64? { transfer.map(\.size) ?? job.checkpoint.size }

  var snapshot: ActiveJob {
    ActiveJob(
      id: job.id, name: name, phase: currentPhase, received: received, size: size, sent: transfer?.sent ?? 0,
      toSend: toSend, connections: max(1, transfer?.connections ?? 1))
  }

  /// The length of the body that is sent.
  var toSend: Int64? { job.specification.request.body?.length }

  /// What it is at: the transfer knows more than its events.
  var currentPhase: JobPhase {
    guard phase == .connecting else { return phase }
    // Bytes may be counted before the word of their answer has come through.
    if answered || received > job.checkpoint.segments.count { return .receiving }
    return toSend ?? 0 > 0 && transfer?.wasSent ?? false ? .sending : .connecting
  }
}
