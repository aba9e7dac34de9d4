// The memory that the transfers of a loop share: buffers, facts about servers, and connection counts.

internal import Curl
internal import DrayCore

/// The shared memory of an engine's transfers. Confined to the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// The buffers of bytes that wait to be hashed.
  let spares = SpareBuffers()
  /// The memory for small files.
  let small = SmallBudget()
  /// Cookie engines without cookies. Making one for each small file would cost more than its request.
  private var engines: [CookieEngine] = []
  let peers = PeerMemory()
  /// The number of bytes that the last connection of a part gave, by its name. Forgotten ones are measured again.
  var given: [String: Int64] = [:] { didSet { if given.count > SharedMemory.remembered { given = [:] } } }
  /// The parts whose last request stalled. Their next one opens a connection.
  var stalled: Set<String> = [] { didSet { if stalled.count > SharedMemory.remembered { stalled = [] } } }
  let load: ConnectionCounts
  let connections: ConnectionMemory

  /// - Parameter limit: The maximum number of connections in total.
  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }

  /// The maximum number of entries of ``given``.
  private static let remembered = 4096
  /// The maximum number of kept cookie engines.
  private static let kept = 64

  /// Returns a cookie engine without cookies, if there is one.
  func takeEngine() -> CookieEngine? { engines.popLast() }

  /// Keeps a cookie engine that has no cookies.
  func giveBack(_ engine: CookieEngine) {
    if engines.count < SharedMemory.kept { engines.append(engine) }
  }
}
