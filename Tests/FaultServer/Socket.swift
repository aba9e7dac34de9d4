// A stream socket: each system call of the server appears once, here.

import Glibc

/// A connected or listening socket, closed by its owner.
struct Socket: ~Copyable, Sendable {
  /// The descriptor, for a registry that shuts it down from another thread.
  let descriptor: Int32

  /// `POLLRDHUP`, which is not imported: the peer has closed its sending side.
  private static let peerLeft: Int16 = 0x2000

  private init(owning descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// A socket that listens on `port` of 127.0.0.1; 0 means a free port.
  ///
  /// The backlog is deep: with 5, fifty parallel transfers took 40 times as long.
  static func listening(on port: UInt16 = 0) throws(SocketError) -> Socket {
    let listener = try port == 0 ? boundToFreePort() : bound(to: port)
    guard listen(listener.descriptor, 4096) == 0 else { throw SocketError(call: "listen") }
    return listener
  }

  /// A socket that is bound to a free port by its number. After `shutdown(2)` such a socket refuses connections and keeps
  /// its port until it is closed; Linux would give away a port that it chose, and another test's server would answer there.
  private static func boundToFreePort() throws(SocketError) -> Socket {
    for _ in 0..<100 {
      let port = try bound(to: 0).port
      // Another process may take the port between the two calls.
      if let owner = try? bound(to: port) { return owner }
    }
    throw SocketError(call: "bind")
  }

  /// A socket connected to `port` of 127.0.0.1; `nil` if nothing listens.
  static func connected(to port: UInt16) -> Socket? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let owner = Socket(owning: descriptor)
    var address = loopback(port)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { return nil }
    return owner
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  /// A socket that is bound to a port of 127.0.0.1, and does not listen; 0 means a free port.
  static func bound(to port: UInt16) throws(SocketError) -> Socket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw SocketError(call: "socket") }
    let owner = Socket(owning: descriptor)
    var address = loopback(port)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0 else { throw SocketError(call: "bind") }
    return owner
  }

  /// The port that the socket is bound to.
  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection; nil when the socket was shut down.
  func accept() -> Socket? {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      if connection >= 0 {
        // accept4 is not imported; a test that starts programs must close inherited descriptors.
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        // Otherwise the system buffers megabytes that no one has received.
        var bytes: Int32 = 128 << 10
        setsockopt(connection, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        return Socket(owning: connection)
      }
      // A connection that was reset in the queue, or a temporary lack of descriptors, is not a reason to stop.
      switch errno {
      case ECONNABORTED, EINTR: continue
      case EMFILE, ENFILE: usleep(10_000)
      default: return nil
      }
    }
  }

  /// Up to `limit` received bytes, 64 KiB by default; nil at the end of the stream or on an error.
  func read(upTo limit: Int = 65_536) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      var received = 0
      repeat {
        received = recv(descriptor, buffer.baseAddress, limit, 0)
      } while received < 0 && errno == EINTR
      count = max(0, received)
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Sends all of `bytes`; false when the peer is gone or the socket was shut down.
  func write(_ bytes: some Collection<UInt8>) -> Bool {
    let bytes = Array(bytes)
    return bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
        let count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  /// Whether the peer's system has acknowledged all that was sent.
  var isDelivered: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 && count == 0
  }

  /// Waits `seconds`; false at once when the peer is gone or the socket was shut down.
  func wait(seconds: Double) -> Bool {
    let deadline = ContinuousClock.now.advanced(by: .seconds(seconds))
    while true {
      let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
      guard left > 0 else { return true }
      var entry = pollfd(fd: descriptor, events: Self.peerLeft, revents: 0)
      if poll(&entry, 1, Int32(min(left.rounded(.up), 60_000))) > 0 { return false }
    }
  }

  /// Ends the sending side and reads for up to a second, so that closing does not become a reset that discards the
  /// answer's last bytes.
  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let deadline = ContinuousClock.now.advanced(by: .seconds(1))
    while ContinuousClock.now < deadline, poll(&entry, 1, 200) > 0, read() != nil {}
  }

  /// Makes the close that follows a reset.
  func reset() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
  }
}

/// A system call that failed while the server was set up.
public struct SocketError: Error, CustomStringConvertible {
  /// The call.
  public let call: String

  /// Its `errno`.
  public let code: Int32

  init(call: String) {
    self.call = call
    code = errno
  }

  /// The call and the system's message.
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// Ends both directions of a socket that another thread uses; that thread closes it.
func shutDown(_ descriptor: Int32) {
  shutdown(descriptor, Int32(SHUT_RDWR))
}
