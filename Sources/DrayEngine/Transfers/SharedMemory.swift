// The memory that the transfers of a loop share: buffers, facts about servers, and connection counts.

internal import Curl
internal import DrayCore

/// Confined to the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// Buffers for bytes that wait to be hashed.
  let spares = SpareBuffers()
  let small = SmallBudget()
  /// Cookie engines without cookies. Making one for each small file would cost more than its request.
  private var engines: [CookieEngine] = []
  let peers = PeerMemory()
  /// The number of bytes from the last connection of a part, by the part's name. Forgotten numbers are measured again.
  var given: [String: Int64] = [:] { didSet { if given.count > SharedMemory.remembered { given = [:] } } }
  /// Parts whose last request stalled. Their next request opens a connection.
  var stalled: Set<String> = [] { didSet { if stalled.count > SharedMemory.remembered { stalled = [] } } }
  let load: ConnectionCounts
  let connections: ConnectionMemory

  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }

  /// Entries of ``given`` and ``stalled``.
  private static let remembered = 4096
  private static let kept = 64

  /// An engine without cookies, if there is one.
  func takeEngine() -> CookieEngine? { engines.popLast() }

  /// The engine must have no cookies.
  func giveBack(_ engine: CookieEngine) {
    if engines.count < SharedMemory.kept { engines.append(engine) }
  }
}
