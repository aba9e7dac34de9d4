// The locks of a fleet's transactions.

extension FleetSchema {
  /// The first of `pg_advisory_xact_lock`'s two numbers for ``Lock/schema``: "dray" in ASCII. The other locks have the
  /// number of their store instead.
  static let lockClass: Int32 = 0x6472_6179

  enum Lock: Int32 {
    /// Creates the schema, or a month of the history. Shared by all stores of a database.
    case schema = 1
    case adding = 2
    case order = 3
    /// Taken shared to give fences. Taken exclusively to count the owned jobs and claim others while limits on origins
    /// or named queues apply, so that all jobs that were ever given a fence are visible. An exclusive owner waits for
    /// no other lock.
    case claiming = 4

    private var store: SQL {
      self == .schema
        ? "\(FleetSchema.lockClass)"
        : "(SELECT ('x' || left(identity::text, 8))::bit(32)::int4 FROM dray_store)"
    }

    /// The statement that takes the lock until the end of the transaction.
    func statement(isShared: Bool = false) -> SQL {
      isShared
        ? "SELECT pg_advisory_xact_lock_shared(\(store), \(rawValue))"
        : "SELECT pg_advisory_xact_lock(\(store), \(rawValue))"
    }
  }
}
