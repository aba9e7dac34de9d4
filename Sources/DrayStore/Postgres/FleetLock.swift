// The advisory locks that transactions of a fleet take.

#if Postgres

extension FleetSchema {
  /// The first of `pg_advisory_xact_lock`'s two numbers for ``Lock/schema``: "dray" in ASCII. For the other locks, the
  /// first number identifies their store.
  static let lockClass: Int32 = 0x6472_6179

  enum Lock: Int32 {
    /// Protects creating the schema or a month of the history; shared by all stores of a database.
    case schema = 1
    case adding = 2
    case order = 3
    /// Taken in shared mode by transactions that give fences. A claim that also learns the lowest fences of owned jobs
    /// takes the lock exclusively, because it must see all jobs that were ever given a fence (``FenceFloor``). Older
    /// programs without ``counting(_:)`` take the lock exclusively for each claim under limits.
    case claiming = 4

    private var store: SQL {
      self == .schema
        ? "\(FleetSchema.lockClass)" : FleetSchema.storeClass
    }

    /// The statement that takes the lock until the end of the transaction.
    func statement(isShared: Bool = false) -> SQL {
      isShared
        ? "SELECT pg_advisory_xact_lock_shared(\(store), \(rawValue))"
        : "SELECT pg_advisory_xact_lock(\(store), \(rawValue))"
    }

    /// The statement that takes the lock if it is free, and returns whether it did.
    var attempt: SQL { "SELECT pg_try_advisory_xact_lock(\(store), \(rawValue))" }
  }

  private static let storeClass: SQL = "(SELECT ('x' || left(identity::text, 8))::bit(32)::int4 FROM dray_store)"

  /// The number of locks for counting jobs under limits. A claim takes at most all of these locks, and a transaction
  /// waits for at most one at a time. Both stay far below the server's capacity (`max_locks_per_transaction` ×
  /// `max_connections`).
  private static let countingLocks: Int32 = 1024

  /// Jobs that a claim counts in order to keep a limit.
  enum Counted: Hashable, Comparable {
    case origin(String)
    case queue(String)

    /// The text from which the number of the lock is computed.
    var text: String {
      switch self {
      case .origin(let text): "o \(text)";
      case .queue(let name): "q \(name)"
      }
    }
  }

  /// Returns the statement that takes the locks on these counts until the end of the transaction. Claims for other
  /// origins and queues need not wait, unless two names happen to have the same lock number.
  ///
  /// The table shows which lock protects what, in the order in which a transaction takes them. Since a transaction
  /// waits only for locks further down, no two transactions wait for each other:
  ///
  /// | lock | by whom | for what |
  /// |---|---|---|
  /// | rows of `hot` | claims: only those that nobody has locked; others wait | each job has one owner |
  /// | ``Lock/claiming`` | transactions that give fences: shared; those that learn the lowest fence: exclusively | ``FenceFloor`` |
  /// | numbers of origins and queues, ascending | claims | the limits on an origin's and on a queue's jobs |
  ///
  /// A limit on all jobs of one runner needs no lock, because only that runner counts them. A claim without limits on
  /// origins and queues takes none of the locks in the last row.
  static func counting(_ counted: Set<Counted>) -> SQL {
    """
    SELECT pg_advisory_xact_lock(\(storeClass), number) FROM (
      SELECT DISTINCT \(raw: "\(countingLocks)") + (hashtext(name) & \(raw: "\(countingLocks - 1)")) AS number
      FROM unnest(\(counted.sorted().map(\.text))) AS name ORDER BY 1) AS numbers
    """
  }
}

#endif
