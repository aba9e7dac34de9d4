#if Postgres

internal import DrayCore
internal import Posix
internal import Postgres
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

/// The lease of a runner in a fleet: a row of the database that the runner must renew in time.
///
/// The row contains the end of the lease by the database's clock. The runner computes the end by itself: it counts from
/// the moment at which it sent the last renewal, by a clock that no program can set. For the runner, the lease
/// therefore never ends later than in the database.
final class FleetLease: RunnerLease {
  /// The duration of a lease in seconds; `DRAY_LEASE` can change it within bounds. A much shorter lease would end
  /// during a short network failure; with a much longer lease, the jobs of a dead runner would wait longer for another
  /// runner.
  static let length = length(of: System.variable("DRAY_LEASE"))

  /// Returns the duration that a text gives; the default if the text is invalid.
  static func length(of text: String?) -> Double {
    guard let seconds = text.flatMap({ Double($0) }), (3...3600).contains(seconds) else { return 30 }
    return seconds
  }

  let runner: UUID
  /// The runner's name for people. It is recorded again when the lease begins again.
  private let name: String
  private let store: PostgresStore
  /// The time at which the lease ends, by ``FleetClock``; `nil` once it is released.
  private let end: Mutex<Double?>
  private let terms = Atomic<Int>(0)

  private init(_ runner: UUID, named name: String, _ store: PostgresStore, end: Double) {
    (self.runner, self.name, self.store) = (runner, name, store)
    self.end = Mutex(end)
    store.held.setLease(of: runner, until: end)
  }

  deinit { FleetLease.drop(runner, end, store) }

  static func acquire(_ store: PostgresStore, named name: String) async throws(Failure) -> FleetLease {
    let runner = UUID.random()
    let sent = try await store.write(.durable) { db in
      let sent = FleetClock.now()
      try db.run(
        """
        INSERT INTO runners (id, name, process, lease_until)
        VALUES (
          \(runner), \(name), \(ProcessMark.own?.text), clock_timestamp() + make_interval(secs => \(FleetLease.length)))
        """)
      return sent
    }
    await makeMonths(store)
    return FleetLease(runner, named: name, store, end: sent + FleetLease.length)
  }

  /// Shortens leases that end later than any renewal could have set. If such a lease exists, the database's clock was
  /// set back, and a dead runner would keep its jobs until the clock reaches the end of its lease. All runners of a
  /// fleet have leases of the same length, so a shortened lease ends no earlier than its runner expects.
  static func shorten(_ db: FleetSession) throws(PostgresError) {
    try db.run(
      """
      UPDATE runners SET lease_until = clock_timestamp() + make_interval(secs => \(length)) WHERE id IN (
        SELECT id FROM runners WHERE lease_until > clock_timestamp() + make_interval(secs => \(length))
        FOR UPDATE SKIP LOCKED)
      """)
  }

  /// Creates the history's partitions for the next months, at most once every few hours. If this fails, rows go to the
  /// partition for times without their own.
  private static func makeMonths(_ store: PostgresStore) async {
    guard store.history.isDue() else { return }
    try? await store.access { db in try FleetHistory.makeMonths(db) }
  }

  var remaining: Double? { end.withLock { $0.map { $0 - FleetClock.now() } } ?? 0 }

  var term: Int { terms.load(ordering: .acquiring) }

  func renew() async throws(Failure) -> LeaseRenewal {
    guard end.withLock({ $0 != nil }) else { throw store.failures.leaseOver }
    // Do not pass `runner` to `write`: it would refuse a lease that is over, but this call may begin the lease again.
    // The write is durable, because a crash of the server must not undo a renewal on which this runner relies.
    let patience = LeaseRule.patience(remaining: remaining ?? 0, length: FleetLease.length)
    let (sent, renewal) = try await store.write(.durable, within: patience, announces: false) { [self] db in
      // The lease may have been released while this call waited for an earlier call.
      guard end.withLock({ $0 != nil }) else { throw store.failures.leaseOver }
      try FleetLease.shorten(db)
      let sent = FleetClock.now()
      let isKept =
        try db.run(
          """
          UPDATE runners SET lease_until = clock_timestamp() + make_interval(secs => \(FleetLease.length))
          WHERE id = \(runner) AND lease_until > clock_timestamp()
          """) == 1
      if isKept { return (sent, LeaseRenewal.kept) }
      // The lease was over, so other runners may have claimed some of this runner's jobs. Release the rest like jobs of
      // a dead runner, then begin the lease again.
      _ = try PostgresStore.recover(db, ofRunners: [runner], removing: [])
      try db.run(
        """
        INSERT INTO runners (id, name, process, lease_until)
        VALUES (
          \(runner), \(name), \(ProcessMark.own?.text), clock_timestamp() + make_interval(secs => \(FleetLease.length)))
        ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until
        """)
      return (sent, .begun)
    }
    if renewal == .begun {
      // Change the term before the new end becomes visible, so that attempts from the lost lease do not continue.
      terms.wrappingAdd(1, ordering: .acquiringAndReleasing)
      store.held.forgetAll(of: runner)
    }
    let until = sent + FleetLease.length
    // Do not renew a lease that was released during this call.
    let isHeld = end.withLock { end in
      guard end != nil else { return false }
      end = until
      return true
    }
    if isHeld { store.held.setLease(of: runner, until: until) }
    // Create the partitions last, because this may wait for the database, and the lease is already renewed.
    await FleetLease.makeMonths(store)
    return renewal
  }

  func show(_ board: RunnerBoard) async throws(Failure) {
    try await store.write(.lazy, for: runner, announces: false) { [runner] db in
      try db.run(
        """
        INSERT INTO boards VALUES (\(runner), \(board.bytes)) ON CONFLICT (runner) DO UPDATE SET board = excluded.board
        """)
    }
  }

  func release() async {
    try? await store.writer.thread.call { [runner, store] () throws(Failure) in
      FleetLease.drop(runner, self.end, store)
    }
  }

  /// Deletes the row of the lease. If the database cannot be reached, the lease expires by itself.
  private static func drop(_ runner: UUID, _ end: borrowing Mutex<Double?>, _ store: PostgresStore) {
    let wasHeld = end.withLock { end in
      defer { end = nil }
      return end != nil
    }
    guard wasHeld else { return }
    store.held.setLease(of: runner, until: nil)
    // Wait only a few seconds, so that a database that does not answer does not delay the end of the process.
    _ = try? store.writer.write(until: SteadyClock.now() + 2, .seconds(5), isDurable: true, announces: true) { db in
      try db.all(["DELETE FROM runners WHERE id = \(runner)", "DELETE FROM boards WHERE runner = \(runner)"])
    }
  }
}

#endif
