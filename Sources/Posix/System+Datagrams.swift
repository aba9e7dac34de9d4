// Single messages to a socket at a path.

internal import Glibc

extension System {
  /// Sends a datagram to the socket at a path, or to the abstract name after `@` (unix(7)). Does not block.
  public static func sendDatagram(_ bytes: [UInt8], toPath path: String) throws(SystemError) {
    let (address, length) = try localAddress(path)
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = try retrying("socket") { socket(AF_UNIX, type, 0) }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    defer { close(descriptor) }
    try retrying("sendto") {
      connecting(to: address, length) { sendto(descriptor, bytes, bytes.count, flags, $0, $1) }
    }
  }
}
