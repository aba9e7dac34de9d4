// A store whose operations are written once for both databases.

import DrayCore

import struct FoundationEssentials.UUID

/// A job store in a database. Its extensions have the operations that differ only in the dialect of ``SQL``.
protocol SQLStore: Sendable {
  associatedtype Session: StoreSession

  /// Runs `body` in a transaction. It may run several times, so it changes nothing but the database.
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs `body` on the connection that changes the store. Each of its statements is a separate transaction.
  /// - Parameter runner: the runner that the call names. The call does not outlast its lease.
  func use<T: Sendable>(
    for runner: UUID?, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs `body`, which only reads. A reader waits for no writer.
  func look<T: Sendable>(_ body: @escaping @Sendable (Session) throws -> T) async throws(Failure) -> T

  /// A condition for the row of `hot` of a job that a runner holds by the claim that it knows.
  func claim(of id: JobID, by runner: UUID) -> SQL

  /// Returns the jobs that meet a condition on all columns of a job, which may end with an order.
  /// - Parameter lock: a statement that runs first, to lock rows.
  static func jobs(_ db: Session, where condition: SQL, after lock: SQL?) throws -> [Job]

  /// Returns the summaries that a statement selects.
  /// - Parameter count: their maximum.
  static func summaries(_ db: Session, _ select: SQL, upTo count: Int) throws -> [JobSummary]

  /// Adds jobs within the caller's transaction, which has the lock on adding.
  /// - Parameters:
  ///   - entrance: the UUIDs and states of the new jobs; its position is ignored.
  ///   - isApart: whether all are new jobs, even if equal ones exist.
  static func add(
    _ db: Session, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob]
  /// Remembers entries of feeds in the transaction that adds their jobs (P3).
  static func remember(_ marks: Set<FeedMark>, _ db: Session, now: Double) throws
  /// Sets the ranks of jobs, and their priority if it is not `nil`.
  static func rank(_ db: Session, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws

  /// A condition for the jobs of a scope, rows of SQLite's `jobs` or of `hot`.
  static func condition(of scope: ClaimScope) -> SQL
  /// The table of all held jobs.
  static func ownedJobs(_ db: Session) -> SQL
  /// Gives new fences to jobs that the transaction has locked and given to a runner, as its last step. SQLite needs no
  /// fences.
  static func giveFences(_ db: Session, _ ids: [JobID]) throws -> [(JobID, Int64)]
  /// Remembers the fences of new claims.
  func own(_ fences: [(JobID, Int64)], _ runner: UUID)
  /// Forgets the claims of jobs that the runner no longer holds.
  func disown(_ ids: [JobID], _ runner: UUID)

  /// Seconds by which two programs of the store may differ about the time.
  static var clockDifference: Double { get }
}

extension SQLStore {
  /// Runs `body` in a transaction. It may run several times, so it changes nothing but the database.
  /// - Parameters:
  ///   - runner: the runner that the call names. The call does not outlast its lease.
  ///   - announces: whether programs on other machines are told. What only a job's holder records need not be.
  @discardableResult
  func transaction<T: Sendable>(
    _ durability: Durability, for runner: UUID? = nil, announces: Bool = true,
    _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T {
    try await transact(durability, runner, announces, body)
  }

  func use<T: Sendable>(_ body: @escaping @Sendable (Session) throws -> T) async throws(Failure) -> T {
    try await use(for: nil, body)
  }

  static func jobs(_ db: Session, where condition: SQL) throws -> [Job] {
    try jobs(db, where: condition, after: nil)
  }

  /// Returns the job with this number, which no other transaction changes until the end of this one.
  static func lockedJob(_ db: Session, _ id: JobID) throws -> Job? {
    try jobs(db, where: "id = \(id)", after: "SELECT 1 FROM \(.hot) WHERE id = \(id)\(.forUpdate)").first
  }

  /// Returns the time of a call, whose row another call may have written since: time does not go back between them,
  /// unless the clock was set back.
  static func moment(_ now: Double, after recorded: Double?) -> Double {
    guard let recorded, recorded - now < clockDifference else { return now }
    return max(now, recorded)
  }
}
