// The locks of a fleet's transactions.

extension FleetSchema {
  /// Locks that any program of the fleet may take in a transaction, as the first of `pg_advisory_xact_lock`'s two
  /// numbers: "dray" in ASCII. All but ``Lock/schema`` have a number of their store in its place.
  static let lockClass: Int32 = 0x6472_6179

  /// The second number of such a lock.
  enum Lock: Int32 {
    /// Creates the schema, or a month of the history. Shared by all stores of a database.
    case schema = 1
    /// As ``StoreLock/adding``.
    case adding = 2
    /// As ``StoreLock/order``.
    case order = 3
    /// Takes a fence: shared. Counts held jobs and claims others, while limits on origins or named queues apply:
    /// exclusively. So whoever has it exclusively sees all jobs that were ever given a fence. Its holder waits for no
    /// other lock.
    case claiming = 4

    /// The first of its numbers.
    private var store: SQL {
      self == .schema
        ? "\(FleetSchema.lockClass)"
        : "(SELECT ('x' || left(identity::text, 8))::bit(32)::int4 FROM dray_store)"
    }

    /// The statement that takes it until the end of the transaction.
    func statement(isShared: Bool = false) -> SQL {
      isShared
        ? "SELECT pg_advisory_xact_lock_shared(\(store), \(rawValue))"
        : "SELECT pg_advisory_xact_lock(\(store), \(rawValue))"
    }
  }
}
