// The queue's interface for aria2's methods, in dray's terms. Methods reach jobs only through it.

internal import DrayCore
internal import DrayStore

struct Aria2Addition: Sendable, Equatable {
  var specification: JobSpecification
  var isPaused = false
  /// The beginning of its UUID, if the client chooses one.
  var gid: GID?
  /// The options without meaning here, which are returned on request.
  var kept: [String: String] = [:]
}

struct Aria2Limits: Sendable, Equatable {
  /// The rate in bytes per second; `nil` for no limit.
  var rate: Int64?
  /// The number of concurrent jobs; `nil` for as many as help.
  var jobs: Int?
}

/// The queue as seen by aria2's methods. Missing jobs are omitted from answers; a failure names the impossible action.
protocol Aria2Queue: Sendable {
  // MARK: Reading

  /// Returns the jobs of a list: active ones in the order of their start, waiting ones in the order of the queue,
  /// stopped ones in the order of their end.
  func ids(_ list: Aria2Status.List) async throws(Failure) -> [JobID]

  /// Returns the jobs whose GID begins with a prefix. If there are several, returns at least two.
  func ids(_ prefix: GID) async throws(Failure) -> [JobID]

  /// Returns these jobs in this order.
  /// - Parameter isWhole: Whether to include mirrors and segments, which cost more.
  func jobs(_ ids: [JobID], isWhole: Bool) async throws(Failure) -> [Aria2Job]

  func specification(of id: JobID) async throws(Failure) -> JobSpecification?

  // MARK: Changing

  /// Returns why a job cannot be added, regardless of other jobs that are added with it; `nil` without an objection.
  nonisolated func objection(to addition: Aria2Addition) -> Failure?

  /// Adds jobs, all or none, durably. If a job for the same download exists, it continues instead.
  /// - Parameter place: The position among the waiting jobs; `nil` is the end.
  /// - Returns: The GID of each job.
  func add(_ additions: [Aria2Addition], at place: Int?) async throws(Failure) -> [GID]

  /// Pauses jobs.
  /// - Returns: The jobs for which that was possible.
  func pause(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Queues paused jobs.
  /// - Returns: The jobs for which that was possible.
  func resume(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Removes jobs. Those with bytes stay in the list of stopped jobs, and adding them again continues them. Formerly
  /// active ones without bytes stay in the list while the service runs.
  /// - Returns: The jobs for which that was possible.
  func remove(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Removes jobs from the list of stopped jobs, with their part files. Published files stay.
  func forget(_ ids: [JobID]) async throws(Failure)

  /// Clears the list of stopped jobs, except for failed ones with resumable bytes.
  func forgetStopped() async throws(Failure)

  /// Moves a waiting job.
  /// - Parameter index: The position among the waiting jobs.
  func move(_ id: JobID, to index: Int) async throws(Failure)

  /// Changes a job's specification: URL, mirrors, options, place. An active job restarts if it cannot take the change
  /// while it runs.
  func change(_ id: JobID, to specification: JobSpecification) async throws(Failure)

  // MARK: The service

  var directory: String { get }

  /// The expansion of `~` in clients' directories; `nil` leaves it unchanged.
  var home: String? { get }

  func limits() async throws(Failure) -> Aria2Limits
  func set(_ limits: Aria2Limits) async throws(Failure)

  /// Returns a job's options without meaning here, as given; for `nil`, those of all new jobs.
  func keptOptions(of id: JobID?) async throws(Failure) -> [String: String]
  func keep(_ options: [String: String], of id: JobID?) async throws(Failure)

  /// The id of this run of the service: 40 hexadecimal digits.
  var session: String { get }

  /// Stops the service soon, after the call was answered.
  func stop() async
}

extension Aria2Queue {
  nonisolated var home: String? { nil }
  nonisolated func objection(to addition: Aria2Addition) -> Failure? { nil }
}
