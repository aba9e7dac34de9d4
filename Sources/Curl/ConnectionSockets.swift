// The sockets of a loop's connections: which of them a request is about to use, and whether it is clean. libcurl gives a
// callback the two ends of a connection, but not its socket; so the sockets are kept as they are opened.

internal import CCurl
internal import Glibc

/// The open sockets of one multi handle, confined to the loop's thread. It must live as long as libcurl has connections.
final class ConnectionSockets {
  /// The two ends of a connection, as libcurl reports them.
  struct Ends: Hashable {
    var local: End
    var remote: End
  }

  /// An address in its text form, and a port.
  struct End: Hashable {
    var address: String
    var port: Int
  }

  private struct Entry {
    /// Whether it carries a stream of bytes; datagrams have a framing of their own.
    var isStream: Bool
    /// Known once it is connected and was searched for.
    var ends: Ends?
    /// How many requests were begun on it.
    var requests = 0
  }

  private var entries: [Int32: Entry] = [:]
  private var byEnds: [Ends: Int32] = [:]

  /// Makes libcurl open and close the sockets of `handle`'s connections here. A socket is opened for one handle, and
  /// may be closed for another one or for none.
  func watch(_ handle: EasyHandle) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    handle.sockets = self
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(handle).toOpaque())
    _ = ccurl_setopt_opensocket_callback(handle.raw, CURLOPT_OPENSOCKETFUNCTION, ConnectionSockets.onOpen)
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_CLOSESOCKETDATA, context)
    _ = ccurl_setopt_closesocket_callback(handle.raw, CURLOPT_CLOSESOCKETFUNCTION, ConnectionSockets.onClose)
  }

  /// The socket of the connection with these ends.
  func socket(_ ends: Ends) -> Int32? {
    if let known = byEnds[ends] { return known }
    for (socket, entry) in entries where entry.ends == nil && entry.isStream {
      guard let local = ConnectionSockets.end(of: socket, getsockname), local.port > 0,
        let remote = ConnectionSockets.end(of: socket, getpeername)
      else { continue }
      let found = Ends(local: local, remote: remote)
      entries[socket]?.ends = found
      byEnds[found] = socket
    }
    return byEnds[ends]
  }

  /// Whether a request was begun on this connection before.
  func wasUsed(_ socket: Int32) -> Bool { entries[socket].map { $0.requests > 0 } ?? true }

  /// Records that a request begins on it.
  func begin(on socket: Int32) { entries[socket]?.requests += 1 }

  /// Whether bytes wait on it.
  static func hasBytes(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Whether the other end has not acknowledged all that was sent to it. A server that has read a request sends its answer
  /// with the acknowledgement of that request, so bytes that come before it were sent without having read it.
  static func isUnacknowledged(_ socket: Int32) -> Bool {
    var count: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 && count > 0
  }

  // MARK: libcurl's calls

  private static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionSockets? {
    context.map { Unmanaged<ConnectionSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Opens a socket. Opens none, and sends no packet, where the request must not go to the address.
  private static let onOpen: curl_opensocket_callback = { context, _, address in
    guard let place = address, let address = address?.pointee, let context else { return -1 }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard !handle.refuses(ConnectionSockets.end(of: place)) else { return -1 }
    // Not inherited by processes that are started meanwhile.
    let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(address.family, kind, address.protocol)
    if socket >= 0 {
      let isStream = address.socktype == Int32(SOCK_STREAM.rawValue)
      handle.sockets?.entries[socket] = Entry(isStream: isStream)
    }
    return socket
  }

  private static let onClose: curl_closesocket_callback = { context, socket in
    if let sockets = ConnectionSockets.from(context), let entry = sockets.entries.removeValue(forKey: socket) {
      if let ends = entry.ends { sockets.byEnds[ends] = nil }
    }
    return close(socket)
  }

  // MARK: Addresses

  /// The address that libcurl is about to connect to.
  private static func end(of place: UnsafeMutablePointer<curl_sockaddr>) -> End? {
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    // libcurl has more room there than the type says.
    return end(at: UnsafeRawPointer(place) + offset, family: place.pointee.family)
  }

  private typealias Name = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

  private static func end(of socket: Int32, _ name: Name) -> End? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage -> End? in
      let raw = UnsafeMutableRawPointer(storage)
      guard name(socket, raw.assumingMemoryBound(to: sockaddr.self), &length) == 0 else { return nil }
      return end(at: UnsafeRawPointer(raw), family: Int32(storage.pointee.ss_family))
    }
  }

  private static func end(at raw: UnsafeRawPointer, family: Int32) -> End? {
    switch family {
    case AF_INET:
      var address = raw.loadUnaligned(as: sockaddr_in.self)
      return text(AF_INET, &address.sin_addr, address.sin_port)
    case AF_INET6:
      var address = raw.loadUnaligned(as: sockaddr_in6.self)
      return text(AF_INET6, &address.sin6_addr, address.sin6_port)
    default:
      return nil
    }
  }

  private static func text(_ family: Int32, _ address: UnsafeRawPointer, _ port: in_port_t) -> End? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard let start = inet_ntop(family, address, &text, socklen_t(text.count)) else { return nil }
    return End(address: String(cString: start), port: Int(UInt16(bigEndian: port)))
  }
}
