// The lease of a runner of the fleet: a row with an end by the clock of the database.

import DrayCore
import Posix
import Postgres
import Synchronization
import Threads

import struct FoundationEssentials.UUID

/// A lease that must be renewed in time. Its end is counted from the moment at which the renewal was sent, by a clock
/// that no other program sets, so that it is never later than the end in the database.
final class FleetLease: RunnerLease {
  /// Seconds that a lease lasts. `DRAY_LEASE` changes it, within bounds: a shorter lease would end in a pause of the
  /// network, and a longer one keeps the jobs of dead runners.
  static let length = length(of: System.variable("DRAY_LEASE"))

  /// Returns the length that a text means, or the usual one.
  static func length(of text: String?) -> Double {
    guard let seconds = text.flatMap({ Double($0) }), (3...3600).contains(seconds) else { return 30 }
    return seconds
  }

  let runner: UUID
  /// The name for people, which is recorded again when the lease begins again.
  private let name: String
  private let store: PostgresStore
  /// When the lease ends, by ``FleetClock``; `nil` once it is released.
  private let end: Mutex<Double?>
  private let terms = Atomic<Int>(0)

  private init(_ runner: UUID, named name: String, _ store: PostgresStore, end: Double) {
    (self.runner, self.name, self.store) = (runner, name, store)
    self.end = Mutex(end)
    store.held.setLease(of: runner, until: end)
  }

  deinit { FleetLease.drop(runner, end, store) }

  /// Acquires a lease for a new runner.
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

  /// Shortens leases that end later than any renewal until now can have made them: the database's clock was set back.
  /// Otherwise a dead runner would keep its jobs until the clock is where it was. None ends earlier than its runner
  /// knows. All runners of a fleet have leases of the same length.
  static func shorten(_ db: FleetSession) throws(PostgresError) {
    try db.run(
      """
      UPDATE runners SET lease_until = clock_timestamp() + make_interval(secs => \(length)) WHERE id IN (
        SELECT id FROM runners WHERE lease_until > clock_timestamp() + make_interval(secs => \(length))
        FOR UPDATE SKIP LOCKED)
      """)
  }

  /// Makes the next months of the history, if it is time. After a failure, rows only go to another partition.
  private static func makeMonths(_ store: PostgresStore) async {
    guard store.history.isDue() else { return }
    try? await store.access { db in try FleetHistory.makeMonths(db) }
  }

  var remaining: Double? { end.withLock { $0.map { $0 - FleetClock.now() } } ?? 0 }

  var term: Int { terms.load(ordering: .acquiring) }

  func renew() async throws(Failure) -> LeaseRenewal {
    guard end.withLock({ $0 != nil }) else { throw store.failures.leaseOver }
    // Do not pass `runner` to `write`: this call may begin a lease that is over. It is durable, because otherwise a
    // crash might undo the renewal, and the lease would end earlier than this runner knows.
    let patience = LeaseRule.patience(remaining: remaining ?? 0, length: FleetLease.length)
    let (sent, renewal) = try await store.write(.durable, within: patience, announces: false) { [self] db in
      // It may have been released while this call waited for another one.
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
      // Other runners may have taken its jobs. Release the rest as for a dead runner, then begin again.
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
      // Before the new end: attempts of the lost lease must not see it.
      terms.wrappingAdd(1, ordering: .acquiringAndReleasing)
      store.held.forgetAll(of: runner)
    }
    let until = sent + FleetLease.length
    // Do not renew a lease that was released in the meantime.
    let isHeld = end.withLock { end in
      guard end != nil else { return false }
      end = until
      return true
    }
    if isHeld { store.held.setLease(of: runner, until: until) }
    // Last, because it may have to wait for the database, and the lease goes on already.
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
    try? await store.writer.queue.call { [runner, store] () throws(Failure) in
      FleetLease.drop(runner, self.end, store)
    }
  }

  /// Deletes the row. If the database cannot be reached, the lease expires.
  private static func drop(_ runner: UUID, _ end: borrowing Mutex<Double?>, _ store: PostgresStore) {
    let wasHeld = end.withLock { end in
      defer { end = nil }
      return end != nil
    }
    guard wasHeld else { return }
    store.held.setLease(of: runner, until: nil)
    // A database that takes the connection and does not answer must not keep the process from its end for long.
    _ = try? store.writer.write(until: SteadyClock.now() + 2, .seconds(5), isDurable: true, announces: true) { db in
      try db.all(["DELETE FROM runners WHERE id = \(runner)", "DELETE FROM boards WHERE runner = \(runner)"])
    }
  }
}
