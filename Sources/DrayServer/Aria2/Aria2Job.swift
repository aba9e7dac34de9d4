// A job as aria2's clients see it, made from the store's record and the progress that its runner reports.

internal import DrayCore
internal import DrayStore
internal import FoundationEssentials

struct Aria2Job: Sendable, Equatable {
  var id: JobID
  var gid: GID
  var status: Aria2Status
  var directory: String
  /// The path of the file; `nil` before the file has a name.
  var path: String?
  /// The job's own URL and its mirrors as they are shown, without secrets (P7).
  var urls: [String]
  /// The URL that answered after redirects, as it is shown.
  var currentURL: String?
  /// The number of attempts that the record counts.
  var attempts: Int
  var wasTried: Bool
  /// The number of bytes that were received.
  var received: Int64
  /// The length of the file in bytes; `nil` if it is unknown.
  var size: Int64?
  var segments: SegmentSet
  /// The transfer rate in bytes per second.
  var rate: Int64 = 0
  var connections = 0
  var failure: Failure?

  /// Creates a job from a row of a list. Such a job has no mirrors here, and it has segments only if its runner reports
  /// them.
  init(_ job: JobSummary, live: ProgressEntry?) {
    id = job.id
    gid = GID(uuid: job.uuidText)
    status = Aria2Status(job.state, hasFailed: job.failureText != nil)
    directory = job.directory
    path = job.target
    urls = [URLRedaction.redacted(job.url)]
    currentURL = job.finalURL.map(URLRedaction.redacted)
    attempts = job.attempts
    wasTried = job.attempts > 0
    received = job.state == .complete ? job.size ?? job.received : job.received
    size = job.size
    segments = SegmentSet(0..<received)
    failure = job.failure
    take(live)
  }

  /// Creates a job with its mirrors and segments.
  init(_ job: Job, live: ProgressEntry?) {
    self.init(JobSummary(job, rank: 0, waitsFor: []), live: nil)
    urls = JobURLs(job.specification).all.map(\.description)
    currentURL = job.response?.finalURL.description
    segments = job.checkpoint.segments
    size = job.checkpoint.size ?? job.specification.options.expectedSize
    if job.state == .complete {
      size = job.published?.size ?? size
      segments = SegmentSet(0..<(size ?? segments.end))
    }
    received = segments.count
    failure = job.failure
    take(live)
  }

  /// Returns the job with the progress that its runner reports now.
  func showing(_ live: ProgressEntry?) -> Aria2Job {
    var job = self
    job.take(live)
    return job
  }

  private mutating func take(_ live: ProgressEntry?) {
    guard status == .active, let live else { return }
    wasTried = true
    // While a request's body is sent, the runner counts the bytes of that body and not those of the file.
    guard live.phase != .sending else { return }
    (rate, connections) = (Int64(max(0, min(live.rate, 1e15))), live.connections)
    (received, size) = (live.received, live.size ?? size)
    segments = live.parts?.done ?? SegmentSet(0..<max(received, segments.prefix))
  }
}
