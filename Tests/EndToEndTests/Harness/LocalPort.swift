// Ports: free ones, and whether a program listens.

import FaultServer
import Foundation
import Synchronization

/// Ports of this machine.
enum LocalPort {
  /// Below the range from which the system assigns ports to programs that bind to any port, such as all other servers
  /// of the tests. A port that is free here stays free until it is bound by its number.
  private static let range: Range<UInt16> = 20_000..<32_000

  private static let next = Mutex(UInt16.random(in: range))

  /// Returns a free port, each only once in this process.
  static func free() throws -> Int {
    for _ in 0..<1000 {
      let port = next.withLock { next in
        next = next + 1 < range.upperBound ? next + 1 : range.lowerBound
        return next
      }
      if (try? RefusingPort(port)) != nil { return Int(port) }
    }
    throw HarnessError("no port is free from \(range.lowerBound) to \(range.upperBound)")
  }

  /// Whether a program listens at the port.
  static func isListening(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
