public import Posix
internal import Synchronization

/// The kinds of listeners, which differ in who can connect.
public enum ListenerKind: Sendable, Hashable, CaseIterable {
  /// A socket in the file system: only its owner can connect.
  case socket
  /// 127.0.0.0/8 or ::1: everybody with an account on this machine can connect, and every page in their browsers.
  case loopback
  /// Everybody who can reach the address.
  case outside

  public init(_ address: InternetAddress) {
    let bytes = address.bytes
    let isLoopback =
      address.isV6
      ? bytes == Array(repeating: 0, count: 15) + [1]
        || bytes.starts(with: Array(repeating: 0, count: 10) + [0xFF, 0xFF, 127])
      : bytes.first == 127
    self = isLoopback ? .loopback : .outside
  }
}
