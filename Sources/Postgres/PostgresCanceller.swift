// Cancels the statement of a connection.

/// A means to cancel the statement that runs on a connection. Any thread may use it, also after the connection is closed.
package final class PostgresCanceller: @unchecked Sendable {
  private let object: OpaquePointer
  private let library: LibPQ

  init(_ object: OpaquePointer, _ library: LibPQ) { (self.object, self.library) = (object, library) }

  deinit { library.freeCancel(object) }

  /// Asks the server to cancel the running statement, if any, which then fails with the kind `cancelled`. Connects to
  /// the server, and blocks until the server has answered.
  /// - Returns: Whether the server got the request.
  @discardableResult
  package func cancel() -> Bool {
    var message = [CChar](repeating: 0, count: 256)
    return library.cancel(object, &message, CInt(message.count)) == 1
  }
}
