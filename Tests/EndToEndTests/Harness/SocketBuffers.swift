// What the system holds of connections over IPv4.

import Foundation

enum SocketBuffers {
  /// Returns the bytes that sockets have received from a port and no program has read (proc_net_tcp(5)).
  static func received(from port: UInt16) throws -> Int64 {
    let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
    return table.split(separator: "\n").dropFirst().reduce(0) { sum, line in
      let fields = line.split(separator: " ")
      guard fields.count > 4, let other = fields[2].split(separator: ":").last, UInt16(other, radix: 16) == port,
        let waiting = fields[4].split(separator: ":").last, let bytes = Int64(waiting, radix: 16)
      else { return sum }
      return sum + bytes
    }
  }
}
