// The calls of the API, as values.

internal import DrayCore
internal import DrayStore

enum APICall: Sendable, Equatable {
  case service
  case document
  case jobs(JobsWindow)
  case queue
  case job(JobID)
  case parts(JobID)
  case add(AddOrder)
  case act(JobAction, on: [JobID])
  case actOnAll(JobAction)
  case actOnOne(JobAction, JobID)
  /// Undoes the removals with these tokens.
  case undo([String])
  /// Undoes the last removal of a job.
  case undoOne(JobID)
  case move([JobID], QueuePlace)
  case change(JobID, ChangeOrder)
  case limits
  case setLimits(LimitsOrder)
  case queues
  case changeQueue(String, QueueOrder)
  case removeQueue(String)
  case feeds
  case readFeed(FeedOrder)
  case queueFeed(FeedOrder, guids: [String], directory: String?)
  case sync(SyncOrder)
  case probe(String)
  /// Reads the links in a text that a person typed.
  case links(String)
  /// Returns the free space in a directory; `nil` means the default directory.
  case space(String?)
  case subscriptions
  case subscribe(FeedSubscription)
  case unsubscribe(Int64)
  case events(cursor: String?)
  case logIn(String)
  case logOut

  /// Whether the call only reads jobs, so that it need not wait for calls that change jobs.
  var onlyLooks: Bool {
    switch self {
    case .service, .document, .jobs, .queue, .job, .parts, .limits, .queues, .feeds, .events, .logIn, .logOut,
      .links, .space, .subscriptions:
      true
    case .add, .act, .actOnAll, .actOnOne, .undo, .undoOne, .move, .change, .setLimits, .changeQueue, .removeQueue,
      .readFeed, .queueFeed, .sync, .probe, .subscribe, .unsubscribe:
      false
    }
  }
}

/// Selects a part of the jobs for a list.
struct JobsWindow: Sendable, Equatable {
  /// The maximum number of jobs in an answer.
  static let most = 2000
  /// The number of jobs in an answer unless the client asks for another.
  static let usual = 500

  var states: Set<JobState>?
  /// The number of the job after which the selection starts.
  var after: JobID = 0
  var limit = usual
}

/// The fields to change; a field that is `nil` keeps its value.
struct ChangeOrder: Sendable, Equatable {
  var url: String?
  /// The user name for the URL's server; `password` belongs to it.
  var user: String?
  var password: String?
  /// The directory and the name of the file. If the name is removed, the server's answer names the file.
  var directory: String?
  var output: QueueOrder.New<String>?
  var settings = JobSettings()
}

/// Selects some of a feed's entries.
struct FeedOrder: Sendable, Equatable {
  var url: String
  /// A regular expression that the title or the URL of an entry must match.
  var match: String?
  /// The maximum number of entries; the newest are selected.
  var limit: Int?
}
