// Ports: which is free, and whether somebody listens.

import FaultServer
import Foundation

/// Ports of this machine.
enum LocalPort {
  /// A free one: found by binding, and given back.
  static func free() throws -> Int {
    let finder = try FaultServer()
    defer { finder.stop() }
    return Int(finder.port)
  }

  /// Whether somebody listens there.
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
