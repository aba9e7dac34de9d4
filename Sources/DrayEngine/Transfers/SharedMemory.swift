// The memory that the transfers of a loop share: buffers, facts about servers, and connection counts.

internal import Curl
internal import DrayCore

/// Confined to the loop's thread.
final class SharedMemory {
  let buffers = GatherBufferPool()
  /// Buffers for bytes that wait to be hashed.
  let spares = SpareBuffers()
  let small = SmallBudget()
  /// Cookie engines that contain no cookies. Creating an engine for each small file would cost more than the request
  /// for the file.
  private var engines: [CookieEngine] = []
  let peers = PeerMemory()
  /// The number of bytes that the last connection of a part received, keyed by the part's name. A number that was
  /// forgotten is measured again.
  var given: [String: Int64] = [:] { didSet { if given.count > SharedMemory.remembered { given = [:] } } }
  /// The names of parts whose last request stalled, so that the next request opens a new connection.
  var stalled: Set<String> = [] { didSet { if stalled.count > SharedMemory.remembered { stalled = [] } } }
  let load: ConnectionCounts
  let lines = LineMemory()
  let connections: ConnectionMemory

  init(_ connections: ConnectionMemory = ConnectionMemory(), limit: Int = .max) {
    self.connections = connections
    load = ConnectionCounts(limit: limit)
  }

  /// The maximum number of entries in ``given`` and ``stalled``.
  private static let remembered = 4096
  private static let kept = 64

  /// Returns a cookie engine without cookies; `nil` if none is left.
  func takeEngine() -> CookieEngine? { engines.popLast() }

  /// Takes back a cookie engine, which must contain no cookies.
  func giveBack(_ engine: CookieEngine) {
    if engines.count < SharedMemory.kept { engines.append(engine) }
  }
}
