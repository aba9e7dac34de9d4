// TCP addresses as values.

internal import Glibc

public struct InternetAddress: Sendable, Hashable {
  /// Four or sixteen bytes in network order.
  public let bytes: [UInt8]
  /// The port; 0 requests a free one from the system.
  public var port: UInt16

  private init(bytes: [UInt8], port: UInt16) { (self.bytes, self.port) = (bytes, port) }

  /// Reads a literal address without brackets: `127.0.0.1`, `::1`; `nil` for names and zones (`%eth0`).
  public init?(_ literal: String, port: UInt16 = 0) {
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, literal, &v4) == 1 {
      self.init(bytes: withUnsafeBytes(of: v4) { Array($0) }, port: port)
    } else if inet_pton(AF_INET6, literal, &v6) == 1 {
      self.init(bytes: withUnsafeBytes(of: v6) { Array($0) }, port: port)
    } else {
      return nil
    }
  }

  public var isV6: Bool { bytes.count == 16 }

  public var literal: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = isV6 ? AF_INET6 : AF_INET
    return bytes.withUnsafeBytes { bytes in
      inet_ntop(family, bytes.baseAddress, &text, socklen_t(INET6_ADDRSTRLEN)).map { String(cString: $0) } ?? ""
    }
  }

  func withSystemAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    var storage = sockaddr_storage()
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, fill(UnsafeMutableRawPointer(storage))) }
    }
  }

  private func fill(_ storage: UnsafeMutableRawPointer) -> socklen_t {
    if isV6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
      storage.storeBytes(of: address, as: sockaddr_in6.self)
      return socklen_t(MemoryLayout<sockaddr_in6>.size)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
    storage.storeBytes(of: address, as: sockaddr_in.self)
    return socklen_t(MemoryLayout<sockaddr_in>.size)
  }

  /// Reads the address that the system wrote to `storage`; `nil` for any other address family.
  init?(_ storage: sockaddr_storage) {
    let found: InternetAddress? = withUnsafeBytes(of: storage) { raw in
      switch Int32(storage.ss_family) {
      case AF_INET:
        let address = raw.loadUnaligned(as: sockaddr_in.self)
        return InternetAddress(
          bytes: withUnsafeBytes(of: address.sin_addr) { Array($0) }, port: UInt16(bigEndian: address.sin_port))
      case AF_INET6:
        let address = raw.loadUnaligned(as: sockaddr_in6.self)
        return InternetAddress(
          bytes: withUnsafeBytes(of: address.sin6_addr) { Array($0) }, port: UInt16(bigEndian: address.sin6_port))
      default: return nil
      }
    }
    guard let found else { return nil }
    self = found
  }
}

extension InternetAddress: CustomStringConvertible {
  /// The form in URLs: `127.0.0.1:80`, `[::1]:80`.
  public var description: String { isV6 ? "[\(literal)]:\(port)" : "\(literal):\(port)" }
}
