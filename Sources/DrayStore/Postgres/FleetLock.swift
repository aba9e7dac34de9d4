// The locks of a fleet's transactions.

extension FleetSchema {
  /// The first of `pg_advisory_xact_lock`'s two numbers for ``Lock/schema``: "dray" in ASCII. The other locks have the
  /// number of their store instead.
  static let lockClass: Int32 = 0x6472_6179

  enum Lock: Int32 {
    /// For creating the schema, or a month of the history; shared by all stores of a database.
    case schema = 1
    case adding = 2
    case order = 3
    /// Shared by transactions that give fences. A claim that also learns where the fences of owned jobs begin takes it
    /// exclusively, because it must see all jobs that were ever given a fence (``FenceFloor``). Programs without
    /// ``counting(_:)`` take it exclusively for each claim under limits.
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

    /// The statement that takes the lock if no other transaction has it, and returns whether it did.
    var attempt: SQL { "SELECT pg_try_advisory_xact_lock(\(store), \(rawValue))" }
  }

  private static let storeClass: SQL = "(SELECT ('x' || left(identity::text, 8))::bit(32)::int4 FROM dray_store)"

  /// The number of locks for counting. A claim takes at most these, each transaction waits for at most one, and each
  /// has one owner: far fewer than the server can handle (`max_locks_per_transaction` × `max_connections`).
  private static let countingLocks: Int32 = 1024

  /// What a claim counts in order to keep a limit.
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
  /// origins and queues do not wait, unless two names happen to have the same lock number.
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
  /// A limit on all jobs of a runner is the runner's own. A claim without limits on origins and queues takes none of
  /// the last kind.
  static func counting(_ counted: Set<Counted>) -> SQL {
    """
    SELECT pg_advisory_xact_lock(\(storeClass), number) FROM (
      SELECT DISTINCT \(raw: "\(countingLocks)") + (hashtext(name) & \(raw: "\(countingLocks - 1)")) AS number
      FROM unnest(\(counted.sorted().map(\.text))) AS name ORDER BY 1) AS numbers
    """
  }
}
