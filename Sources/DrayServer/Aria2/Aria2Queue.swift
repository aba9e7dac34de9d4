// What aria2's methods need of the queue, in dray's terms: the only way from a call to a job.

internal import DrayCore
internal import DrayStore

/// A job that a client adds.
struct Aria2Addition: Sendable, Equatable {
  var specification: JobSpecification
  /// Whether it waits for its user.
  var isPaused = false
  /// What its UUID is to begin with, if the client chooses that.
  var gid: GID?
  /// Options that mean nothing here, and are given back.
  var kept: [String: String] = [:]
}

/// Limits that hold for all jobs together.
struct Aria2Limits: Sendable, Equatable {
  /// Bytes a second; `nil` for no limit.
  var rate: Int64?
  /// How many jobs are transferred at once; `nil` for as many as help.
  var jobs: Int?
}

/// The queue, as aria2's methods see it. What does not exist is left out of an answer; a failure says what cannot be done.
protocol Aria2Queue: Sendable {
  // MARK: Looking

  /// The jobs of a list: active ones in the order in which they began, waiting ones in that of the queue, stopped ones in
  /// that in which they stopped.
  func ids(_ list: Aria2Status.List) async throws(Failure) -> [JobID]

  /// The jobs whose GID begins so; of many at least two.
  func ids(_ prefix: GID) async throws(Failure) -> [JobID]

  /// These jobs, in this order.
  /// - Parameter isWhole: whether mirrors and segments are asked for, which cost more.
  func jobs(_ ids: [JobID], isWhole: Bool) async throws(Failure) -> [Aria2Job]

  /// What a job is to fetch, and how; `nil` if there is no such job any more.
  func specification(of id: JobID) async throws(Failure) -> JobSpecification?

  // MARK: Saying what is wanted

  /// Why a job cannot be added, whatever else is added with it; `nil` if nothing is known yet.
  nonisolated func objection(to addition: Aria2Addition) -> Failure?

  /// Adds jobs, all or none; returns when that is durable. The same download again is the job that is there, which goes on.
  /// - Parameter place: their place among those that wait; `nil` is the end.
  /// - Returns: the GID of each.
  func add(_ additions: [Aria2Addition], at place: Int?) async throws(Failure) -> [GID]

  /// Pauses jobs.
  /// - Returns: those of which that can be said.
  func pause(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Queues paused jobs.
  /// - Returns: as ``pause(_:)``.
  func resume(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Removes jobs with their part files. Those that were active stay on the list of what has stopped, as long as the service runs.
  /// - Returns: as ``pause(_:)``.
  func remove(_ ids: [JobID]) async throws(Failure) -> Set<JobID>

  /// Takes jobs off the list of what has stopped. Published files stay.
  func forget(_ ids: [JobID]) async throws(Failure)

  /// Takes everything off the list of what has stopped, but for jobs that have bytes to go on with.
  func forgetStopped() async throws(Failure)

  /// Moves a job that waits.
  /// - Parameter index: its place among those that wait.
  func move(_ id: JobID, to index: Int) async throws(Failure)

  /// Gives a job another specification: a URL, mirrors, options, a place. One that is active is begun again for what it cannot
  /// take while it runs.
  func change(_ id: JobID, to specification: JobSpecification) async throws(Failure)

  // MARK: All of it

  /// The directory of jobs that name none.
  var directory: String { get }

  func limits() async throws(Failure) -> Aria2Limits
  func set(_ limits: Aria2Limits) async throws(Failure)

  /// The options of a job that mean nothing here, as they were given; of `nil` those that all new jobs get.
  func keptOptions(of id: JobID?) async throws(Failure) -> [String: String]
  func keep(_ options: [String: String], of id: JobID?) async throws(Failure)

  /// What identifies this run of the service: 40 hexadecimal digits.
  var session: String { get }

  /// Ends the service soon, after this call was answered.
  func stop() async
}

extension Aria2Queue {
  nonisolated func objection(to addition: Aria2Addition) -> Failure? { nil }
}
