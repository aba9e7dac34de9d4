// Listening sockets, and connections to those in the file system.

internal import CLinux
internal import Glibc

extension System {
  /// Creates a listening, non-blocking TCP socket (`listen(2)`). It may reuse a recently used port. An IPv6 socket
  /// accepts only IPv6.
  public static func listener(at address: InternetAddress, backlog: Int32) throws(SystemError) -> Int32 {
    let descriptor = try stream(address.isV6 ? AF_INET6 : AF_INET)
    do {
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      try retrying("setsockopt") { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size) }
      if address.isV6 {
        try retrying("setsockopt") { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size) }
      }
      try retrying("bind") { address.withSystemAddress { bind(descriptor, $0, $1) } }
      try retrying("listen") { listen(descriptor, backlog) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Creates a listening socket at a path. From the start, only the owner can connect to it, under any umask.
  public static func listener(atPath path: String, backlog: Int32) throws(SystemError) -> Int32 {
    let descriptor = try stream(AF_UNIX)
    do {
      // On Linux the file gets the mode of the socket. Elsewhere the directory must protect it for a moment.
      try retrying("fchmod") { fchmod(descriptor, 0o600) }
      let (address, length) = try localAddress(path)
      try retrying("bind") { connecting(to: address, length) { bind(descriptor, $0, $1) } }
      try retrying("chmod") { chmod(path, 0o600) }
      try retrying("listen") { listen(descriptor, backlog) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Connects to a socket at a path.
  /// - Throws: `ECONNREFUSED` if nobody listens, `ENOENT` if there is no socket.
  public static func connection(toPath path: String) throws(SystemError) -> Int32 {
    let descriptor = try stream(AF_UNIX)
    do {
      let (address, length) = try localAddress(path)
      try retrying("connect") { connecting(to: address, length) { connect(descriptor, $0, $1) } }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns the address that a socket is bound to; `nil` if it is neither IPv4 nor IPv6.
  public static func boundAddress(_ socket: Int32) -> InternetAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    return code == 0 ? InternetAddress(storage) : nil
  }

  /// Returns the path that a socket is bound to; `nil` if there is none, as for an abstract name.
  public static func boundPath(_ socket: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard code == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let path = withUnsafeBytes(of: address.sun_path) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return path.isEmpty ? nil : path
  }

  public static func isListening(_ descriptor: Int32) -> Bool {
    option(SO_ACCEPTCONN, of: descriptor) == 1 && option(SO_TYPE, of: descriptor) == streamType
  }

  /// Whether there is a socket at a path. Does not follow links.
  public static func isSocket(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
  }

  /// Makes an inherited descriptor non-blocking and keeps children from inheriting it.
  public static func adopt(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Whether the error means that the process or the system has no descriptors left.
  public static func isOutOfDescriptors(_ error: SystemError) -> Bool { error.code == EMFILE || error.code == ENFILE }

  private static func option(_ name: Int32, of socket: Int32) -> Int32? {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(socket, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
  }
}

// MARK: - Differences between systems

private let streamType = Int32(SOCK_STREAM.rawValue)

extension System {
  /// Creates a stream socket that children do not inherit. It does not block.
  private static func stream(_ family: Int32) throws(SystemError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    return try retrying("socket") { socket(family, type, 0) }
  }

  public static let longestSocketPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Returns the address of a path. A path that begins with `@` is an abstract name outside the file system (unix(7)).
  /// - Throws: `ENAMETOOLONG`.
  static func localAddress(_ path: String) throws(SystemError) -> (sockaddr_un, socklen_t) {
    var name = Array(path.utf8)
    let isAbstract = name.first == UInt8(ascii: "@")
    if isAbstract { name[0] = 0 }
    guard name.count <= longestSocketPath else { throw SystemError("bind", ENAMETOOLONG) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    // An abstract name has an explicit length; a path ends with a zero byte.
    let before = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    return (address, socklen_t(before + name.count + (isAbstract ? 0 : 1)))
  }

  static func connecting<R>(
    to address: sockaddr_un, _ length: socklen_t, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
  ) -> R {
    withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
