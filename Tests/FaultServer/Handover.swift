// Hands a value that cannot be copied from one thread to another.

import Synchronization

/// Holds a connection until its thread takes it.
final class Handover: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: consuming sending Connection) {
    self.connection = Mutex(connection)
  }

  /// The connection, the first time.
  func take() -> Connection? {
    connection.withLock { $0.take() }
  }
}
