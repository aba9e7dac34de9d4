// What aria2's methods need of the queue, in dray's terms. The methods reach jobs only through this protocol.

internal import DrayCore
internal import DrayStore

struct Aria2Addition: Sendable, Equatable {
  var specification: JobSpecification
  var isPaused = false
  /// The GID that the client chose, which becomes the beginning of the job's UUID; `nil` if the client chose none.
  var gid: GID?
  /// The options that have no meaning for dray, which clients get back on request.
  var kept: [String: String] = [:]
}

struct Aria2Limits: Sendable, Equatable {
  /// The limit for all jobs together, in bytes per second; `nil` for no limit.
  var rate: Int64?
  /// The number of concurrent jobs; `nil` for as many as help.
  var jobs: Int?
}

/// The job that a GID or the beginning of one names.
struct Aria2Found: Sendable, Equatable {
  /// The number of jobs whose GIDs match; 2 means at least two.
  var matches: Int
  /// The job, if just one matches and exists.
  var job: Aria2Job?
}

/// The queue as aria2's methods see it. Answers leave out jobs that do not exist; a thrown failure names the action
/// that is not possible.
protocol Aria2Queue: Sendable {
  // MARK: Reading

  /// Returns the jobs of a list: active jobs in the order of their start, waiting jobs in the order of the queue,
  /// stopped jobs in the order of their end.
  func ids(_ list: Aria2Status.List) async throws(Failure) -> [JobID]

  /// Returns the jobs whose GID begins with a prefix. If there are several such jobs, at least two of them are
  /// returned.
  func ids(_ prefix: GID) async throws(Failure) -> [JobID]

  /// Returns the job with this GID if it is in memory as a call would read it now; never waits.
  nonisolated func known(_ gid: GID, isWhole: Bool) -> Aria2Job?

  /// Returns the job whose GID begins with a prefix. Combines ``ids(_:)`` and ``jobs(_:isWhole:)``.
  func job(named prefix: GID, isWhole: Bool) async throws(Failure) -> Aria2Found

  /// Returns the jobs with these numbers, in the same order.
  /// - Parameter isWhole: Whether the result includes mirrors and segments, which take longer to read.
  func jobs(_ ids: [JobID], isWhole: Bool) async throws(Failure) -> [Aria2Job]

  func specification(of id: JobID) async throws(Failure) -> JobSpecification?

  // MARK: Changing

  /// Returns the reason why a job cannot be added, whatever other jobs are added with it; `nil` if it can be.
  nonisolated func objection(to addition: Aria2Addition) -> Failure?

  /// Adds either all jobs or none of them, and returns once they are on the disk. If a job for the same download
  /// exists, that job continues instead.
  /// - Parameter place: The position among the waiting jobs; `nil` means the end.
  /// - Returns: The GID of each job.
  func add(_ additions: [Aria2Addition], at place: Int?) async throws(Failure) -> [GID]

  /// Pauses jobs.
  /// - Returns: The jobs that could be paused.
  func pause(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Puts paused jobs back into the queue.
  /// - Returns: The jobs that could be put back.
  func resume(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Removes jobs. Removed jobs with bytes stay in the list of stopped jobs, and continue if they are added again.
  /// Removed jobs without bytes that were active stay in that list for as long as the service runs.
  /// - Returns: The jobs that could be removed.
  func remove(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Removes jobs from the list of stopped jobs, and deletes their part files. Files that are complete stay.
  func forget(_ ids: [JobID]) async throws(Failure)

  /// Empties the list of stopped jobs, but keeps failed jobs with bytes from which they can continue.
  func forgetStopped() async throws(Failure)

  /// Moves a waiting job in the queue.
  /// - Parameter index: The new position among the waiting jobs.
  func move(_ id: JobID, to index: Int) async throws(Failure)

  /// Changes a job's specification: its URL, mirrors, options, and place. An active job that cannot take the change
  /// while it runs is stopped and started again.
  func change(_ id: JobID, to specification: JobSpecification) async throws(Failure)

  // MARK: The service

  var directory: String { get }

  /// The directory that replaces `~` in clients' directories; with `nil`, `~` stays as it is.
  var home: String? { get }

  func limits() async throws(Failure) -> Aria2Limits
  func set(_ limits: Aria2Limits) async throws(Failure)

  /// Returns the options without a meaning for dray, as the client gave them: a job's; with `nil`, those that clients
  /// set for all new jobs.
  func keptOptions(of id: JobID?) async throws(Failure) -> [String: String]
  func keep(_ options: [String: String], of id: JobID?) async throws(Failure)

  /// The identifier of this run of the service: 40 hexadecimal digits.
  var session: String { get }

  /// Stops the service soon, but not before the call is answered.
  func stop() async
}

extension Aria2Queue {
  nonisolated func known(_ gid: GID, isWhole: Bool) -> Aria2Job? { nil }

  func job(named prefix: GID, isWhole: Bool) async throws(Failure) -> Aria2Found {
    let ids = try await ids(prefix)
    guard ids.count == 1 else { return Aria2Found(matches: ids.count) }
    return Aria2Found(matches: 1, job: try await jobs(ids, isWhole: isWhole).first)
  }

  nonisolated var home: String? { nil }
  nonisolated func objection(to addition: Aria2Addition) -> Failure? { nil }
}
