// Sockets that do not block, and waiting for many of them at once.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is waited for on a descriptor, and what happened (`poll(2)`).
public struct Readiness: OptionSet, Sendable {
  /// The system's bits.
  public let rawValue: Int16
  /// Makes a set of the system's bits.
  public init(rawValue: Int16) { self.rawValue = rawValue }

  /// There is something to read, or the end of it.
  public static let readable = Readiness(rawValue: Int16(POLLIN))
  /// There is room to write.
  public static let writable = Readiness(rawValue: Int16(POLLOUT))
  /// The other side has gone, or the socket has failed; always reported.
  public static let gone = Readiness(rawValue: Int16(POLLHUP | POLLERR | POLLNVAL))
}

/// What a read from a socket came to.
public enum Received: Sendable, Equatable {
  case bytes(Int)
  /// The other side sends no more.
  case end
  /// There is nothing now.
  case nothing
}

extension System {
  /// The descriptors of one wait, in order.
  public struct Watch: Sendable {
    private var entries: [pollfd] = []

    /// Makes an empty list.
    public init() {}

    /// Empties the list, and keeps its memory.
    public mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds a descriptor. With nothing to wait for it still reports that it is ``Readiness/gone``.
    public mutating func add(_ descriptor: Int32, _ wanted: Readiness) {
      entries.append(pollfd(fd: descriptor, events: wanted.rawValue, revents: 0))
    }

    /// Waits until something happens, at most some seconds; nil waits for as long as it takes. A signal ends it early.
    public mutating func wait(_ seconds: Double?) {
      let milliseconds = seconds.map { Int32(min(max($0 * 1000, 0).rounded(.up), 1e9)) } ?? -1
      let count = nfds_t(entries.count)
      if poll(&entries, count, milliseconds) < 0 { for index in entries.indices { entries[index].revents = 0 } }
    }

    /// What happened at the descriptor that was added as the `index`th.
    public subscript(index: Int) -> Readiness { Readiness(rawValue: entries[index].revents) }
  }

  /// Two connected sockets that do not block: what is written to one wakes the thread that waits for the other.
  public static func pair() throws(SystemError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    try retrying("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
    for end in ends { adopt(end) }
    return (ends[0], ends[1])
  }

  /// Reads what a socket has now (`recv(2)`).
  public static func receive(
    _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Received {
    do {
      let count = try retrying("recv") { recv(socket, buffer.baseAddress, buffer.count, 0) }
      return count == 0 ? .end : .bytes(count)
    } catch {
      if error.code == EAGAIN || error.code == EWOULDBLOCK { return .nothing }
      throw error
    }
  }

  /// Writes as much as a socket takes now (`send(2)`); no signal where the other side has gone.
  /// - Returns: bytes; 0 if there is no room.
  public static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) throws(SystemError) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    do {
      return try retrying("send") { Int(Posix.sent(socket, bytes, flags)) }
    } catch {
      if error.code == EAGAIN || error.code == EWOULDBLOCK { return 0 }
      throw error
    }
  }

  /// Says that no more will be sent (`shutdown(2)`).
  public static func endSending(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }
}

/// The call, by a name that `System.send` does not hide.
private func sent(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
  send(socket, bytes.baseAddress, bytes.count, flags)
}
