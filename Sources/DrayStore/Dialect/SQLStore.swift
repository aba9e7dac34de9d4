internal import DrayCore

internal import struct FoundationEssentials.UUID

/// A job store in a database. Its extensions have the operations that differ between the databases only in the dialect
/// of ``SQL``.
protocol SQLStore: Sendable {
  associatedtype Session: StoreSession

  /// Runs `body` in a transaction. `body` may run several times, so it must change only the database.
  func transact<T: Sendable>(
    _ durability: Durability, _ runner: UUID?, _ announces: Bool, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs `body` on the connection that changes the store. Each statement of `body` is a separate transaction.
  /// - Parameter runner: The runner that the call names. The call ends with that runner's lease.
  func use<T: Sendable>(
    for runner: UUID?, _ body: @escaping @Sendable (Session) throws -> T
  ) async throws(Failure) -> T
  /// Runs `body`, which only reads, and waits for no writer.
  func look<T: Sendable>(_ body: @escaping @Sendable (Session) throws -> T) async throws(Failure) -> T

  /// A condition for the row of `hot` of a job that a runner owns by its known claim.
  func claim(of id: JobID, by runner: UUID) -> SQL

  /// Returns the jobs that meet a condition on any of their columns. An order may follow the condition.
  /// - Parameter lock: A statement that runs first, to lock rows.
  static func jobs(_ db: Session, where condition: SQL, after lock: SQL?) throws -> [Job]

  /// Returns the summaries that a statement selects.
  /// - Parameter count: The maximum number of summaries.
  static func summaries(_ db: Session, _ select: SQL, upTo count: Int) throws -> [JobSummary]

  /// Adds jobs within the caller's transaction, which has the lock on adding.
  /// - Parameters:
  ///   - entrance: The UUIDs and states of the new jobs. Its position is ignored.
  ///   - isApart: Whether all are new jobs, even if equal ones exist.
  static func add(
    _ db: Session, _ specifications: AnySequence<JobSpecification>, now: Double, seen: Set<JobID>?,
    entering entrance: Entrance, isApart: Bool
  ) throws -> [AddedJob]
  /// Records that entries of feeds were handled, in the transaction that adds their jobs (P3).
  static func remember(_ marks: Set<FeedMark>, _ db: Session, now: Double) throws
  /// `nil` keeps the priority.
  static func rank(_ db: Session, _ ids: [JobID], _ priority: Int?, _ ranks: [Double]) throws

  /// A condition for the jobs of a scope, on rows of SQLite's `jobs` or of `hot`.
  static func condition(of scope: ClaimScope) -> SQL
  static func ownedJobs(_ db: Session) -> SQL
  /// Gives new fences to jobs that the transaction has locked and given to a runner. This is the transaction's last
  /// step. SQLite needs no fences.
  static func giveFences(_ db: Session, _ ids: [JobID]) throws -> [(JobID, Int64)]
  /// Remembers the fences of new claims.
  func own(_ fences: [(JobID, Int64)], _ runner: UUID)
  /// Forgets the claims of jobs that the runner no longer owns.
  func disown(_ ids: [JobID], _ runner: UUID)

  /// Seconds by which the clocks of two programs of the store may differ.
  static var clockDifference: Double { get }
}

extension SQLStore {
  /// Runs `body` in a transaction. `body` may run several times, so it must change only the database.
  /// - Parameters:
  ///   - runner: The runner that the call names. The call ends with that runner's lease.
  ///   - announces: Whether to notify programs on other machines. Records that only the job's owner needs are not
  ///     announced.
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

  /// Returns the time of a call, but not less than `recorded`, the time in a row that another call may have written
  /// since this call began. If `recorded` is so late that the clock must have been set back, returns `now`.
  static func moment(_ now: Double, after recorded: Double?) -> Double {
    guard let recorded, recorded - now < clockDifference else { return now }
    return max(now, recorded)
  }
}
