// Non-blocking sockets, and waiting for several of them.

internal import Glibc

/// Events on a descriptor, requested or reported (`poll(2)`).
public struct Readiness: OptionSet, Sendable {
  /// The system's bits.
  public let rawValue: Int16
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// Bytes to read, or the end of input.
  public static let readable = Readiness(rawValue: Int16(POLLIN))
  /// Room to write.
  public static let writable = Readiness(rawValue: Int16(POLLOUT))
  /// The peer is gone or the socket failed. Always reported.
  public static let gone = Readiness(rawValue: Int16(POLLHUP | POLLERR | POLLNVAL))
}

extension System {
  public struct Watch: Sendable {
    private var entries: [pollfd] = []

    public init() {}

    /// Empties the list but keeps its memory.
    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor. Even without requested events it reports ``Readiness/gone``.
    public mutating func add(_ descriptor: Int32, _ wanted: Readiness) {
      entries.append(pollfd(fd: descriptor, events: wanted.rawValue, revents: 0))
    }

    /// Waits for an event, at most `seconds`; `nil` waits without limit. A signal ends the wait early.
    public mutating func wait(_ seconds: Double?) {
      let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0).rounded(.up), 1e9)) } ?? -1
      let count = nfds_t(entries.count)
      if poll(&entries, count, milliseconds) < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }

    /// The events on the descriptor that was added at `index`.
    public subscript(index: Int) -> Readiness { Readiness(rawValue: entries[index].revents) }
  }

  /// Whether a descriptor takes bytes, or reports an error, at most some milliseconds from now; negative for no limit.
  /// Async-signal-safe.
  public static func hasRoom(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    has(POLLOUT, descriptor, milliseconds)
  }

  /// Whether a descriptor has bytes, or reports an error, at most some milliseconds from now; negative for no limit.
  public static func hasBytes(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    has(POLLIN, descriptor, milliseconds)
  }

  private static func has(_ event: Int32, _ descriptor: Int32, _ milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }

  /// Creates two connected non-blocking sockets. Writing to one wakes the thread that waits for the other.
  public static func pair() throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue)
    try retrying("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    for end in ends { adopt(end) }
    return (ends[0], ends[1])
  }
}
