// A connection to a server, and the waiting of its calls.

internal import Posix

/// Belongs to one thread or queue at a time. Its owner must ensure that, because nothing here is locked. Calls block,
/// at most for the configured time. After an error of the kind `connectionLost` the connection is closed.
package final class PostgresConnection: @unchecked Sendable {
  let library: LibPQ
  package let configuration: PostgresConfiguration
  /// `nil` once the connection is closed.
  private(set) var handle: OpaquePointer?
  /// Statements that the server has prepared, by their text.
  var prepared: [String: PreparedStatement] = [:]
  var preparedCount = 0

  /// Connects. Blocks, at most `connectTimeout` seconds a host, and as long as the system's resolver needs.
  package init(_ configuration: PostgresConfiguration) throws(PostgresError) {
    library = try LibPQ.loaded()
    self.configuration = configuration
    handle = try PostgresConnecting.open(configuration, library)
  }

  deinit { close() }

  /// Closes the connection. The server rolls back an open transaction.
  package func close() {
    if let handle { library.finish(handle) }
    handle = nil
    prepared = [:]
  }

  // MARK: Properties

  /// The version of libpq: 150018 for 15.18.
  package static func libraryVersion() throws(PostgresError) -> Int { try LibPQ.loaded().version }

  /// Whether calls are possible. A connection that the server has closed is noticed at the next call.
  package var isOpen: Bool { handle != nil }
  package var serverVersion: Int { handle.map { Int(library.serverVersion($0)) } ?? 0 }
  /// The host in use: its name, or the directory of its socket.
  package var host: String { text(library.host) }
  package var port: String { text(library.port) }
  package var database: String { text(library.db) }
  package var user: String { text(library.user) }
  /// The server's process for this connection, as in `pg_stat_activity`.
  package var backendID: Int32 { handle.map(library.backendPID) ?? 0 }
  package var isEncrypted: Bool { handle.map { library.sslInUse($0) == 1 } ?? false }
  /// Whether a transaction is open, or has failed and is to be rolled back.
  package var isInTransaction: Bool { handle.map { library.transactionStatus($0) != PQ.transactionIdle } ?? false }
  /// The descriptor for `poll`; −1 once closed.
  package var socket: Int32 { handle.map(library.socket) ?? -1 }

  private func text(_ call: LibPQ.Named) -> String { handle.flatMap(call).map { String(cString: $0) } ?? "" }

  package func canceller() throws(PostgresError) -> PostgresCanceller {
    guard let object = library.getCancel(try open()) else { throw PostgresError(.other, "out of memory") }
    return PostgresCanceller(object, library)
  }

  // MARK: Waiting

  func open() throws(PostgresError) -> OpaquePointer {
    guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
    return handle
  }

  func deadline(_ seconds: Double?) -> Double { System.now + (seconds ?? configuration.callTimeout) }

  /// Closes the connection, and returns an error with `message`, or else with libpq's.
  func lost(_ message: String? = nil) -> PostgresError {
    let own = text(library.errorMessage)
    close()
    return PostgresError(.connectionLost, message ?? own)
  }

  /// Returns the error of a call that libpq refused, and closes the connection if it is lost.
  func refused() -> PostgresError {
    guard let handle, library.status(handle) == PQ.connectionOK else { return lost() }
    return .mismatch(text(library.errorMessage))
  }

  /// Waits for the socket. At the deadline the connection is closed: an answer that comes later would be taken for the
  /// next call's.
  func wait(_ wanted: Readiness, until deadline: Double) throws(PostgresError) {
    var watch = System.Watch()
    watch.add(library.socket(try open()), wanted)
    while true {
      let rest = deadline - System.now
      guard rest > 0 else { throw lost("the database did not answer in time") }
      watch.wait(rest)
      if watch[0].rawValue != 0 { return }
    }
  }

  /// Sends the bytes that libpq has gathered. Reads at the same time, because a server stops reading while nobody reads
  /// its answers.
  func flush(until deadline: Double) throws(PostgresError) {
    while true {
      let handle = try open()
      switch library.flush(handle) {
      case 0: return
      case 1:
        try wait([.readable, .writable], until: deadline)
        // A failure shows in the result.
        guard library.consumeInput(handle) == 1 else { return }
      // The server may have sent a reason, which is in the result.
      default: return
      }
    }
  }

  /// Returns the next result; `nil` after the last one of a statement.
  func nextResult(until deadline: Double) throws(PostgresError) -> PostgresRows? {
    let handle = try open()
    while library.isBusy(handle) == 1 {
      try wait(.readable, until: deadline)
      // A lost connection has a result, which contains what the server said last.
      guard library.consumeInput(handle) == 1 else { break }
    }
    return library.getResult(handle).map { PostgresRows($0, library) }
  }
}
