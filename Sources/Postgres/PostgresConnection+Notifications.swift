// LISTEN and NOTIFY.

internal import Posix

package struct PostgresNotification: Hashable, Sendable {
  package let channel: String
  package let payload: String
  /// The server's process for the sending connection.
  package let backendID: Int32
}

extension PostgresConnection {
  package func listen(_ channel: String) throws(PostgresError) {
    try script("LISTEN \(PostgresText.identifier(channel))")
  }

  package func unlisten(_ channel: String) throws(PostgresError) {
    try script("UNLISTEN \(PostgresText.identifier(channel))")
  }

  /// Sends a notification. In a transaction, it is sent with the commit.
  /// - Parameter payload: At most 8,000 bytes.
  package func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
    try execute("SELECT pg_notify($1, $2)", [channel, payload])
  }

  /// Returns the notifications that have arrived. If there are none, waits for one, at most `seconds`.
  /// - Parameter wake: A descriptor that ends the wait once it can be read.
  /// - Throws: `connectionLost` if the server is gone.
  package func notifications(
    within seconds: Double, orReadable wake: Int32? = nil
  ) throws(PostgresError) -> [PostgresNotification] {
    let deadline = System.now + seconds
    while true {
      let handle = try open()
      guard library.consumeInput(handle) == 1 else { throw lost() }
      let arrived = arrivedNotifications(handle)
      let rest = deadline - System.now
      guard arrived.isEmpty, rest > 0 else { return arrived }
      var watch = System.Watch()
      watch.add(library.socket(handle), .readable)
      if let wake { watch.add(wake, .readable) }
      watch.wait(rest)
      if wake != nil, watch[1].rawValue != 0 { return [] }
    }
  }

  private func arrivedNotifications(_ handle: OpaquePointer) -> [PostgresNotification] {
    var result: [PostgresNotification] = []
    while let pointer = library.notifies(handle) {
      let entry = pointer.assumingMemoryBound(to: Entry.self).pointee
      result.append(
        PostgresNotification(
          channel: entry.channel.map { String(cString: $0) } ?? "",
          payload: entry.payload.map { String(cString: $0) } ?? "", backendID: entry.backendID))
      library.freemem(pointer)
    }
    return result
  }

  /// The beginning of libpq's `PGnotify`.
  private struct Entry {
    var channel: UnsafePointer<CChar>?
    var backendID: CInt
    var payload: UnsafePointer<CChar>?
  }
}
