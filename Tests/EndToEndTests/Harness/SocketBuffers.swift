// The contents of the system's buffers for connections over IPv4.

import TestSupport

enum SocketBuffers {
  /// Returns the bytes that a server at a port has sent and no program has read (proc_net_tcp(5)): those that wait at the
  /// receiver, and those that have no room there yet.
  static func unread(from port: UInt16) throws -> Int64 {
    let table = try kernelText(at: "/proc/net/tcp")
    func isPort(_ address: Substring) -> Bool {
      address.split(separator: ":").last.flatMap { UInt16($0, radix: 16) } == port
    }
    return table.split(separator: "\n").dropFirst().reduce(0) { sum, line in
      let fields = line.split(separator: " ")
      guard fields.count > 4 else { return sum }
      let waiting = fields[4].split(separator: ":").map { Int64($0, radix: 16) ?? 0 }
      guard waiting.count == 2 else { return sum }
      return sum + (isPort(fields[1]) ? waiting[0] : 0) + (isPort(fields[2]) ? waiting[1] : 0)
    }
  }
}
