// A job as far as aria2's clients can ask for it: from the records of the store, and from what its runner shows.

internal import DrayCore
internal import DrayStore
internal import FoundationEssentials

/// A job as clients see it.
struct Aria2Job: Sendable, Equatable {
  var id: JobID
  var gid: GID
  var status: Aria2Status
  /// The directory of the target.
  var directory: String
  /// The path of the target; `nil` as long as it has no name.
  var path: String?
  /// Where the file is: the URL of the job, and its mirrors.
  var urls: [String]
  /// The URL that answers, after redirects.
  var currentURL: String?
  /// Whether it was tried.
  var wasTried: Bool
  /// Bytes that are here.
  var received: Int64
  /// The length of the file; `nil` if it is unknown.
  var size: Int64?
  /// Which bytes are here.
  var segments: SegmentSet
  /// Bytes a second.
  var rate: Int64 = 0
  /// How many connections fetch it.
  var connections = 0
  /// What went wrong last.
  var failure: Failure?

  /// A row of a list: without mirrors, and with its segments only if its runner shows them.
  init(_ job: JobSummary, live: ProgressEntry?) {
    id = job.id
    gid = GID(uuid: job.uuidText)
    status = Aria2Status(job.state, hasFailed: job.failureText != nil)
    directory = job.directory
    path = job.target
    urls = [job.url]
    currentURL = job.finalURL
    wasTried = job.attempts > 0
    received = job.state == .complete ? job.size ?? job.received : job.received
    size = job.size
    segments = SegmentSet(0..<received)
    failure = job.failure
    take(live)
  }

  /// A whole job.
  init(_ job: Job, live: ProgressEntry?) {
    id = job.id
    gid = GID(uuid: job.uuid.uuidString)
    status = Aria2Status(job.state, hasFailed: job.failure != nil)
    directory = job.specification.directory
    path = job.target
    urls = [job.specification.request.url.string] + (job.specification.options.mirrors ?? []).map(\.string)
    currentURL = job.response?.finalURL.string
    wasTried = job.attempts > 0
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

  /// The job as its runner shows it now.
  func showing(_ live: ProgressEntry?) -> Aria2Job {
    var job = self
    job.take(live)
    return job
  }

  private mutating func take(_ live: ProgressEntry?) {
    guard status == .active, let live else { return }
    wasTried = true
    // What is counted while a body is sent is not the file.
    guard live.phase != .sending else { return }
    (rate, connections) = (Int64(max(0, min(live.rate, 1e15))), live.connections)
    (received, size) = (live.received, live.size ?? size)
    segments = live.parts?.done ?? SegmentSet(0..<max(received, segments.prefix))
  }
}
