// Tests whether an address is this machine's.

internal import Glibc

extension System {
  /// Whether an address belongs to this machine, that is, whether a socket can be bound to it (`bind(2)`). Sends no
  /// packet.
  public static func isOwnAddress(_ address: InternetAddress) -> Bool {
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard let descriptor = try? retrying("socket", { socket(address.isV6 ? AF_INET6 : AF_INET, type, 0) }) else {
      return false
    }
    defer { close(descriptor) }
    var address = address
    address.port = 0
    return address.withSystemAddress { bind(descriptor, $0, $1) } == 0
  }
}
