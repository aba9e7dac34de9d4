// What the transfers of one loop share: buffers, what is known of servers, who is where.

internal import DrayCore

/// Shared by the transfers of an engine; lives on the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// For what waits to be hashed.
  let spares = SpareBuffers()
  let peers = PeerMemory()
  let load: ConnectionCounts
  let connections: ConnectionMemory

  /// - Parameter limit: connections that there may be in all.
  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }
}
