internal import DrayCore

internal import struct FoundationEssentials.UUID

/// A job store in a database. The extensions of this protocol have the operations that differ between the databases
/// only in their ``SQL``.
protocol SQLStore: Sendable {
  associatedtype Session: StoreSession

  /// Runs `body` in a transaction. `body` may run several times, so it must change nothing but the database.
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs `body` on the connection that writes. Each statement of `body` is a separate transaction.
  /// - Parameter runner: The runner for which the call is made. The call gives up when that runner's lease ends.
  func use<T: Sendable>(
    for runner: UUID?, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs the read-only `body` without waiting for a writer.
  func look<T: Sendable>(_ body: @escaping @Sendable (Session) throws -> T) async throws(Failure) -> T

  /// Returns a condition on a row of `hot`: the runner owns the job by the claim that this process knows.
  func claim(of id: JobID, by runner: UUID) -> SQL

  /// Returns the jobs that meet a condition on any of their columns; an order may follow the condition.
  /// - Parameter lock: A statement that runs first in order to lock rows.
  static func jobs(_ db: Session, where condition: SQL, after lock: SQL?) throws -> [Job]

  /// Returns the summaries that a statement selects.
  /// - Parameter count: The maximum number of summaries.
  static func summaries(_ db: Session, _ select: SQL, upTo count: Int) throws -> [JobSummary]

  /// Adds jobs within the caller's transaction, which holds the lock on adding.
  /// - Parameters:
  ///   - entrance: The UUIDs and states of the new jobs. Its `place` is ignored.
  ///   - isApart: Whether each specification becomes a new job, even if an equal job exists.
  static func add(
    _ db: Session, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob]
  /// Records that entries of feeds were handled, in the transaction that adds their jobs (P3).
  static func remember(_ marks: Set<FeedMark>, _ db: Session, now: Double) throws
  /// Sets the ranks of jobs, and their priority unless `priority` is `nil`.
  static func rank(_ db: Session, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws

  /// Returns a condition for the jobs of a scope, for rows of SQLite's `jobs` or PostgreSQL's `hot`.
  static func condition(of scope: ClaimScope) -> SQL
  static func ownedJobs(_ db: Session) -> SQL
  /// Gives new fences to jobs that this transaction has locked and assigned to a runner. Call this as the last step of
  /// the transaction. In SQLite, this does nothing, because SQLite needs no fences.
  static func giveFences(_ db: Session, _ ids: [JobID]) throws -> [(JobID, Int64)]
  /// Remembers the fences of new claims.
  func own(_ fences: [(JobID, Int64)], _ runner: UUID)
  /// Forgets the claims of jobs that the runner no longer owns.
  func disown(_ ids: [JobID], _ runner: UUID)

  /// The seconds by which the clocks of two programs that use the store may differ.
  static var clockDifference: Double { get }
}

extension SQLStore {
  /// Runs `body` in a transaction. `body` may run several times, so it must change nothing but the database.
  /// - Parameters:
  ///   - runner: The runner for which the call is made. The call gives up when that runner's lease ends.
  ///   - announces: Whether to notify programs on other machines. This is not needed for records that only the owner of
  ///     a job reads.
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

  /// Returns the job with this number, locked until the end of the transaction.
  static func lockedJob(_ db: Session, _ id: JobID) throws -> Job? {
    try jobs(db, where: "id = \(id)", after: "SELECT 1 FROM \(.hot) WHERE id = \(id)\(.forUpdate)").first
  }

  /// Returns the time of a call. If `recorded` is later, returns `recorded`, because the call that recorded it may have
  /// begun after this one. If `recorded` is so late that the clock must have been set back, returns `now`.
  static func moment(_ now: Double, after recorded: Double?) -> Double {
    guard let recorded, recorded - now < clockDifference else { return now }
    return max(now, recorded)
  }
}
