// The memory that the transfers of a loop share: buffers, facts about servers, and connection counts.

internal import DrayCore

/// The shared memory of an engine's transfers. Confined to the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// The buffers of bytes that wait to be hashed.
  let spares = SpareBuffers()
  let peers = PeerMemory()
  let load: ConnectionCounts
  let connections: ConnectionMemory

  /// - Parameter limit: The maximum number of connections in total.
  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }
}
