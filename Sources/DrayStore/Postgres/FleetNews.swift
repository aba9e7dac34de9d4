// Listens to other programs' announcements about a store, and watches which runners are alive. PostgreSQL notifies the
// listening connection at once. A slow poll finds changes that were not announced. If the server has no connection left
// for listening, the store is polled over the connection that writes.

#if Postgres

internal import DrayCore
internal import Posix
internal import Postgres
internal import Synchronization
internal import Threads

internal import struct FoundationEssentials.UUID

/// Counts the announcements of all programs, and reports them to observers.
final class FleetNews: Sendable {
  private struct State {
    /// The number of changes so far. A new connection counts as a change, because announcements may have been missed.
    var changes = 0
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    var hasThread = false
    /// The snapshot of transactions at the last poll over another connection.
    var seen = ""
  }

  private let executor: FleetExecutor
  private let writer: FleetExecutor
  private let state: StateBox
  private let isClosed = Atomic<Bool>(false)

  /// The state, as a separate object: the code that prepares the connection uses it, and must not retain the
  /// ``FleetNews``.
  private final class StateBox: Sendable {
    let value = Mutex(State())
    func change(_ count: Int) { value.withLock { $0.changes += count } }
  }

  /// The interval in seconds at which to check which runners are alive.
  private static let interval = 1.0
  /// The least seconds between two reports.
  private static let pause = 0.1

  init(
    _ configuration: PostgresConfiguration, _ failures: FleetFailure, besides writer: FleetExecutor,
    prepare: @escaping @Sendable (PostgresConnection) throws -> Void
  ) {
    let state = StateBox()
    (self.state, self.writer) = (state, writer)
    executor = FleetExecutor(configuration, failures, thread: nil, isSpare: true) { connection in
      try prepare(connection)
      try connection.listen(FleetSchema.channel)
      state.change(1)
    }
  }

  /// Returns the number of changes so far. This includes every change before this call, because the server sends
  /// announcements before it answers a later statement. The call blocks the calling thread.
  func count(until deadline: Double) throws(Failure) -> Int {
    try read(until: deadline) { _ in }
    return state.value.withLock(\.changes)
  }

  /// Runs `body` on the listening connection, counts the announcements that have arrived, and notifies the observers.
  @discardableResult
  private func read<T>(until deadline: Double, _ body: (FleetSession) throws -> T) throws(Failure) -> T {
    let before = state.value.withLock(\.changes)
    let result: T
    do throws(Failure) {
      result = try executor.isRefused ? poll(until: deadline, body) : listen(until: deadline, body)
    } catch {
      guard executor.isRefused else { throw error }
      result = try poll(until: deadline, body)
    }
    if state.value.withLock(\.changes) != before { report() }
    return result
  }

  private func listen<T>(until deadline: Double, _ body: (FleetSession) throws -> T) throws(Failure) -> T {
    try executor.access(until: deadline) { session in
      let result = try body(session)
      try session.connection.script("")
      state.change(try session.connection.notifications(within: 0).count)
      return result
    }
  }

  /// Counts a change if any transaction in the database has begun or ended since the last poll.
  private func poll<T>(until deadline: Double, _ body: (FleetSession) throws -> T) throws(Failure) -> T {
    try writer.access(until: deadline) { session in
      let seen: String = try session.value("SELECT pg_current_snapshot()::text") ?? ""
      state.value.withLock { state in
        if state.seen != seen { state.changes += 1 }
        state.seen = seen
      }
      return try body(session)
    }
  }

  private func report() {
    for handler in state.value.withLock({ Array($0.handlers.values) }) { handler() }
  }

  /// Adds an observer. The observer is called at once and after each change.
  /// - Returns: The number for ``remove(_:)``.
  func add(_ handler: @escaping @Sendable () -> Void) -> Int {
    handler()
    let (number, isFirst) = state.value.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      defer { state.hasThread = true }
      return (state.lastNumber, !state.hasThread)
    }
    // If the thread cannot be started, only ``count(until:)`` notices changes.
    if isFirst { try? System.startThread("dray.news", stackSize: 1 << 19) { [weak self] in FleetNews.watch { self } } }
    return number
  }

  func remove(_ number: Int) { state.value.withLock { $0.handlers[number] = nil } }

  /// Closes the connection. Later calls throw.
  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    executor.close()
  }

  // MARK: The thread

  /// Waits for announcements as long as there are observers.
  private static func watch(_ news: () -> FleetNews?) {
    var known: (runners: Set<UUID>, at: Double)?
    while true {
      // Do not retain the ``FleetNews`` while this thread waits, so that it can be released.
      guard let socket = news()?.look(&known) else { return }
      if socket < 0 {
        usleepSeconds(interval)
      } else {
        usleepSeconds(pause)
        var watch = System.Watch()
        watch.add(socket, .readable)
        watch.wait(interval)
      }
    }
  }

  private static func usleepSeconds(_ seconds: Double) {
    var watch = System.Watch()
    watch.wait(seconds)
    watch.removeAll()
  }

  /// Reads the announcements that have arrived, and from time to time checks which runners are alive.
  /// - Returns: The socket to wait for; −1 if no connection listens; `nil` to end the thread.
  private func look(_ known: inout (runners: Set<UUID>, at: Double)?) -> Int32? {
    let goesOn = state.value.withLock { state in
      if state.handlers.isEmpty { state.hasThread = false }
      return state.hasThread
    }
    guard goesOn, !isClosed.load(ordering: .acquiring) else { return nil }
    let now = SteadyClock.now()
    let isDue = known.map { now - $0.at >= FleetNews.interval } ?? true
    let found = try? read(until: now + 1) { session in
      let living = isDue ? Set(try session.values(PostgresStore.living, as: UUID.self)) : nil
      return (living, session.connection.socket)
    }
    guard let (living, socket) = found else { return -1 }
    if let living {
      if let known, known.runners != living {
        state.change(1)
        report()
      }
      known = (living, now)
    }
    return executor.isRefused ? -1 : socket
  }
}

extension PostgresStore {
  static let living: SQL = "SELECT id FROM runners WHERE lease_until > clock_timestamp()"
}

#endif
