// The calls of the API as values.

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
  /// Undoes removals, given by their tokens.
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
  /// Reads links as they are typed.
  case links(String)
  /// The free space of a directory; `nil` for the default.
  case space(String?)
  case subscriptions
  case subscribe(FeedSubscription)
  case unsubscribe(Int64)
  case events(cursor: String?)
  case logIn(String)
  case logOut

  /// Whether the call only reads jobs, so that it need not wait for calls that change some.
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

/// A selection of jobs for a list.
struct JobsWindow: Sendable, Equatable {
  /// The maximum number in an answer.
  static let most = 2000
  /// The default number in an answer.
  static let usual = 500

  var states: Set<JobState>?
  /// The number after which the selection starts.
  var after: JobID = 0
  var limit = usual
}

/// Fields to change; `nil` keeps the value.
struct ChangeOrder: Sendable, Equatable {
  var url: String?
  /// The user name and the `password` for the URL's server.
  var user: String?
  var password: String?
  /// The directory and the name of the file. A missing name lets the server name it.
  var directory: String?
  var output: QueueOrder.New<String>?
  var settings = JobSettings()
}

/// A selection of a feed's entries.
struct FeedOrder: Sendable, Equatable {
  var url: String
  /// A regular expression for titles and URLs.
  var match: String?
  /// The maximum number of entries, newest first.
  var limit: Int?
}
