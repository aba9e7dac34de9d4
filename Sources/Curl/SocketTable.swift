// The sockets that libcurl waits for, and the ones that the system reports. The two differ, so that a connection costs
// no system call between two requests.

internal import Posix

/// The sockets of a loop. The table decides what to ask of the system, and asks nothing itself.
struct SocketTable {
  /// A change of what the system reports.
  enum Change: Equatable {
    case none
    case add(Readiness, tag: UInt64)
    case modify(Readiness, tag: UInt64)
    case remove
  }

  private struct Entry {
    /// The events that libcurl waits for.
    var wanted: Readiness
    /// The events that the system reports; `nil` if it does not watch the socket.
    var watched: Readiness?
    /// The socket's number, and a number that no earlier socket with that number had.
    var tag: UInt64
  }

  private var entries: [Int32: Entry] = [:]
  private var lastGeneration: UInt32 = 0

  /// The number of sockets.
  var count: Int { entries.count }

  /// Records that libcurl waits for other events of a socket; none if it waits for none.
  /// - Parameter isOwn: Whether ``forget(_:)`` is called before the socket is closed. The system then continues to
  ///   watch the socket of an idle connection, because the next request probably waits for the same events.
  mutating func want(_ socket: Int32, _ events: Readiness, isOwn: Bool) -> Change {
    if events.isEmpty {
      guard isOwn else { return forget(socket) }
      entries[socket]?.wanted = []
      return .none
    }
    if let entry = entries[socket], let watched = entry.watched {
      entries[socket]?.wanted = events
      guard watched != events else { return .none }
      entries[socket]?.watched = events
      return .modify(events, tag: entry.tag)
    }
    // The tag is new: events that were reported before belong to an earlier socket with this number.
    lastGeneration &+= 1
    let tag = UInt64(lastGeneration) << 32 | UInt64(UInt32(bitPattern: socket))
    entries[socket] = Entry(wanted: events, watched: events, tag: tag)
    return .add(events, tag: tag)
  }

  /// Forgets a socket that is about to be closed, or that was opened just now.
  mutating func forget(_ socket: Int32) -> Change {
    entries.removeValue(forKey: socket)?.watched == nil ? .none : .remove
  }

  /// Records that the system cannot watch a socket.
  mutating func fail(_ socket: Int32) { entries[socket]?.watched = nil }

  /// Takes a reported event.
  /// - Returns: The socket and the events for libcurl; `nil` if libcurl does not wait for them. The change is what
  ///   follows for the system.
  mutating func take(_ tag: UInt64, _ ready: Readiness) -> (socket: Int32, ready: Readiness?, change: Change) {
    let socket = Int32(truncatingIfNeeded: tag)
    guard let entry = entries[socket], entry.tag == tag, entry.watched != nil else { return (socket, nil, .none) }
    if entry.wanted.isEmpty {
      entries[socket]?.watched = nil
      return (socket, nil, .remove)
    }
    return (socket, ready, .none)
  }
}
