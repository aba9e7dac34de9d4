// The memory that the transfers of a loop share: buffers, facts about servers, and connection counts.

internal import Curl
internal import DrayCore

/// Confined to the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// Buffers for bytes that wait to be hashed.
  let spares = SpareBuffers()
  let small = SmallBudget()
  /// Cookie engines without cookies. Making one for each small file would cost more than the file's request.
  private var engines: [CookieEngine] = []
  let peers = PeerMemory()
  /// The number of bytes that the last connection of a part brought, by the part's name. Numbers that were forgotten
  /// are measured again.
  var given: [String: Int64] = [:] { didSet { if given.count > SharedMemory.remembered { given = [:] } } }
  /// The names of parts whose last request stalled, so that the next one opens a connection.
  var stalled: Set<String> = [] { didSet { if stalled.count > SharedMemory.remembered { stalled = [] } } }
  let load: ConnectionCounts
  let connections: ConnectionMemory

  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }

  /// The maximum number of entries in ``given`` and ``stalled``.
  private static let remembered = 4096
  private static let kept = 64

  /// Returns an engine without cookies, if there is one.
  func takeEngine() -> CookieEngine? { engines.popLast() }

  /// Takes back an engine, which must have no cookies.
  func giveBack(_ engine: CookieEngine) {
    if engines.count < SharedMemory.kept { engines.append(engine) }
  }
}
