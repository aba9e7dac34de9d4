// A client on a plain socket, which can send anything.

internal import Glibc
internal import Posix

/// A connection of a test. Its calls block, so make them on a separate thread (`talk`).
package final class TestClient {
  private let descriptor: Int32
  private var received: [UInt8] = []

  /// The longest wait of a call, in seconds. It only ends a hung test.
  private static let limit = 60

  /// Connects to a port of 127.0.0.1.
  package init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // Not `require`: some tests expect this error.
    guard code == 0 else { throw SystemError("connect") }
    setLimit()
  }

  /// Connects to a socket in the file system.
  package init(path: String) throws {
    descriptor = try System.connection(toPath: path)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    setLimit()
  }

  deinit { Glibc.close(descriptor) }

  private func setLimit() {
    var limit = timeval(tv_sec: Self.limit, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends all bytes.
  /// - Returns: false if the server has closed.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = repeated {
        bytes[start...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
      guard count > 0 else { return false }
      start += count
    }
    return true
  }

  /// Sends text unchanged.
  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Ends the sending direction.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Repeats an interrupted call. A call with a time limit is interrupted when a stopped process continues (signal(7)).
  private func repeated(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Reads more.
  /// - Returns: false at the end, or if the connection was broken off.
  private func more() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = repeated { recv(descriptor, &chunk, chunk.count, 0) }
    guard count > 0 else { return false }
    received += chunk[..<count]
    return true
  }

  /// Reads this many bytes; fewer at the end.
  package func read(_ count: Int) -> [UInt8] {
    while received.count < count, more() {}
    defer { received.removeFirst(min(count, received.count)) }
    return Array(received.prefix(count))
  }

  /// Reads up to and including a text; if the connection ends first, returns the rest.
  package func read(upTo end: String) -> String {
    let end = Array(end.utf8)
    while true {
      if let found = received.firstRange(of: end) {
        defer { received.removeFirst(found.upperBound) }
        return String(decoding: received[..<found.upperBound], as: UTF8.self)
      }
      guard more() else { return String(decoding: read(received.count), as: UTF8.self) }
    }
  }

  /// Reads to the end of the connection.
  package func rest() -> String {
    while more() {}
    return String(decoding: read(received.count), as: UTF8.self)
  }

  /// Reads an answer with a `Content-Length`.
  package func answer() -> (status: Int, head: String, body: String) {
    let head = read(upTo: "\r\n\r\n")
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length = head.lowercased().split(separator: "content-length: ").dropFirst().first?.prefix { $0.isNumber }
    let body = read(length.flatMap { Int($0) } ?? 0)
    return (status, head, String(decoding: body, as: UTF8.self))
  }

  /// Sends a frame, masked like a client's.
  package func send(frame kind: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) {
    send(TestClient.frame(kind, payload, isFinal: isFinal))
  }

  package static func frame(_ kind: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    var bytes = [(isFinal ? 0x80 : 0) | kind]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: bytes += [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  /// Reads a frame of the server: its kind and its payload.
  package func frame() -> (kind: UInt8, payload: [UInt8])? {
    let head = read(2)
    guard head.count == 2 else { return nil }
    let more = head[1] == 127 ? 8 : head[1] == 126 ? 2 : 0
    let length = more == 0 ? Int(head[1]) : read(more).reduce(0) { $0 << 8 | Int($1) }
    return (head[0] & 0x0F, read(length))
  }

  /// Requests a WebSocket.
  /// - Returns: the head of the answer.
  package func upgrade(_ path: String = "/ws", key: String = "dGhlIHNhbXBsZSBub25jZQ==", more: String = "") -> String {
    send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\(more)\r\n")
    return read(upTo: "\r\n\r\n")
  }
}
