// A server that answers without reading, so that sent bytes stay with the sender.

import Glibc
import Synchronization

/// On its first connection, sends answers without reading a byte; the second answer waits for `mayGoOn`. On later
/// connections, reads each request and answers it.
final class DeafServer: Sendable {
  /// Permits the second answer.
  let mayGoOn = Flag()
  private let listener: Int32
  private let port: UInt16
  private let accepted = Atomic<Int>(0)
  private let isStopped = Flag()

  init(_ blind: [[UInt8]], then answer: [UInt8]) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The smallest receive window that the system allows.
    var least: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &least, socklen_t(MemoryLayout<Int32>.size))
    let listener = listener
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { throw HarnessFailure(code: errno) }
    port = UInt16(bigEndian: address.sin_port)
    var thread = pthread_t()
    let work = Work { [self] in serve(blind, answer) }
    pthread_create(
      &thread, nil,
      { raw in
        raw.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(work).toOpaque())
    pthread_detach(thread)
  }

  var url: String { "http://127.0.0.1:\(port)/" }

  /// How many connections were accepted.
  var connections: Int { accepted.load(ordering: .acquiring) }

  func stop() {
    isStopped.raise()
    mayGoOn.raise()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func serve(_ blind: [[UInt8]], _ answer: [UInt8]) {
    var open: [Int32] = []
    while !isStopped.isUp {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { break }
      open.append(connection)
      accepted.add(1, ordering: .releasing)
      if open.count == 1 {
        for (index, bytes) in blind.enumerated() {
          if index == 0 {
            var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, 60_000)
          } else {
            while !mayGoOn.isUp { usleep(1000) }
          }
          _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        }
      } else {
        read(from: connection)
        _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      }
    }
    for connection in open { close(connection) }
    close(listener)
  }

  /// Reads the head of a request.
  private func read(from connection: Int32) {
    var head: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while head.suffix(4) != [13, 10, 13, 10] {
      let count = recv(connection, &bytes, bytes.count, 0)
      guard count > 0 else { return }
      head += bytes.prefix(count)
    }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private struct HarnessFailure: Error { let code: Int32 }
}
