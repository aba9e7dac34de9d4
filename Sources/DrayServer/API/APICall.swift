// What a request comes to: every call of the API as a value.

internal import DrayCore
internal import DrayStore

/// A call.
enum APICall: Sendable, Equatable {
  case service
  case document
  case jobs(JobsWindow)
  case queue
  case job(JobID)
  case parts(JobID)
  case add(AddOrder)
  case act(JobAction, on: [JobID])
  /// The action for every job there is.
  case actOnAll(JobAction)
  case actOnOne(JobAction, JobID)
  /// Takes removals back, by the tokens that they were answered with.
  case undo([String])
  /// Takes the last removal of a job back.
  case undoOne(JobID)
  case move([JobID], QueuePlace)
  case change(JobID, ChangeOrder)
  case limits
  case setLimits(LimitsOrder)
  case feeds
  case readFeed(FeedOrder)
  case queueFeed(FeedOrder, guids: [String], directory: String?)
  case sync(SyncOrder)
  case probe(String)
  case events(cursor: String?)
  case logIn(String)
  case logOut

  /// Whether it only looks at jobs, so that it need not wait for others that change some.
  var onlyLooks: Bool {
    switch self {
    case .service, .document, .jobs, .queue, .job, .parts, .limits, .feeds, .events, .logIn, .logOut: true
    case .add, .act, .actOnAll, .actOnOne, .undo, .undoOne, .move, .change, .setLimits, .readFeed, .queueFeed, .sync,
      .probe:
      false
    }
  }
}

/// Which jobs of a list are wanted.
struct JobsWindow: Sendable, Equatable {
  /// As many as one answer may have.
  static let most = 2000
  /// As many as it has where nobody says.
  static let usual = 500

  /// The states; nil is all.
  var states: Set<JobState>?
  /// Only larger numbers.
  var after: JobID = 0
  var limit = usual
}

/// What of a job is to be another; nil leaves it.
struct ChangeOrder: Sendable, Equatable {
  var url: String?
  var settings = JobSettings()
}

/// Which entries of which feed are meant.
struct FeedOrder: Sendable, Equatable {
  var url: String
  /// A regular expression for titles and URLs.
  var match: String?
  /// Only as many of the newest.
  var limit: Int?
}

/// What is to be added.
enum AddOrder: Sendable, Equatable {
  case jobs([JobOrder])
  /// A Metalink document.
  case metalink(String, directory: String?)
  /// A list, as `dray add -i` reads it.
  case list(String, directory: String?)
}
