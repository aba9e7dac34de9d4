// The sockets of a loop's connections. They tell which socket a request is about to use, and whether unrequested bytes
// have arrived on it. libcurl gives a callback the two ends of a connection but not its socket, so each socket is
// recorded when it is opened.

internal import CCurl
internal import Glibc
internal import Posix

/// The open sockets of a multi handle, which only the loop's thread uses. This object must live longer than libcurl's
/// connections.
final class ConnectionSockets {
  /// The two ends of a connection, as reported by libcurl.
  struct Ends: Hashable {
    var local: End
    var remote: End
  }

  /// An address as text, and a port.
  struct End: Hashable {
    var address: String
    var port: Int
  }

  private struct Entry {
    /// Whether the socket carries a stream of bytes. Datagrams are already separated from each other.
    var isStream: Bool
    /// The two ends; `nil` until a search has found the socket connected.
    var ends: Ends?
    var requests = 0
    /// A number that no other connection has. It tells connections apart whose sockets had the same descriptor.
    var serial: Int
  }

  private var entries: [Int32: Entry] = [:]
  private var byEnds: [Ends: Int32] = [:]
  private var lastSerial = 0
  /// The serial numbers of the connections that were given up.
  private var givenUp: Set<Int> = []
  /// Called before a socket is closed, and after one was opened.
  var forget: (Int32) -> Void = { _ in }

  /// Makes libcurl open and close the sockets of `handle`'s connections here. A socket is opened for one handle, but
  /// may be closed for another handle or for none.
  func watch(_ handle: EasyHandle) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    handle.sockets = self
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(handle).toOpaque())
    _ = ccurl_setopt_opensocket_callback(handle.raw, CURLOPT_OPENSOCKETFUNCTION, ConnectionSockets.onOpen)
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_CLOSESOCKETDATA, context)
    _ = ccurl_setopt_closesocket_callback(handle.raw, CURLOPT_CLOSESOCKETFUNCTION, ConnectionSockets.onClose)
  }

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

  /// Whether the socket is opened and closed here.
  func has(_ socket: Int32) -> Bool { entries[socket] != nil }

  /// Whether a request was started on this connection before.
  func wasUsed(_ socket: Int32) -> Bool { entries[socket].map { $0.requests > 0 } ?? true }

  /// Records that a request starts on the connection.
  /// - Returns: The connection's serial number.
  func begin(on socket: Int32) -> Int? {
    entries[socket]?.requests += 1
    return entries[socket]?.serial
  }

  /// Gives up the connection of a request that has stalled for `seconds`, if nothing has arrived on it. The connections
  /// to the same address that were silent for all that time are given up as well: after the machine has slept, or the
  /// network has forgotten its connections, they are useless, but nothing shows it. libcurl then finds these
  /// connections closed, ends their requests, and starts no others on them.
  func giveUp(_ socket: Int32, stalledFor seconds: Double) {
    // The request may have received bytes before it stalled.
    guard let silence = System.silence(of: socket), silence.data >= seconds / 2, let entry = entries[socket] else {
      return
    }
    for (other, its) in entries where other == socket || its.isStream && its.ends?.remote == entry.ends?.remote {
      // A peer that still exists acknowledges a request, and each part of a body.
      let isSilent = System.silence(of: other).map { min($0.data, $0.acknowledgement) >= seconds } ?? false
      guard other == socket || isSilent else { continue }
      givenUp.insert(its.serial)
      _ = shutdown(other, Int32(SHUT_RDWR))
    }
  }

  func isGivenUp(_ serial: Int) -> Bool { givenUp.contains(serial) }

  static func hasBytes(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
  }

  /// Returns the number of sent bytes that the peer has not acknowledged yet; `nil` if it is not known.
  static func unacknowledged(_ socket: Int32) -> Int? {
    var count: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : nil
  }

  /// Whether the peer has not yet acknowledged all sent bytes. A server acknowledges a request with its answer at the
  /// latest, so an answer before that belongs to no request.
  static func isUnacknowledged(_ socket: Int32) -> Bool { unacknowledged(socket) ?? 0 > 0 }

  // MARK: Callbacks

  private static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionSockets? {
    context.map { Unmanaged<ConnectionSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Opens a socket, unless the transfer has an objection to the address. In that case, no packet is sent to the
  /// address.
  private static let onOpen: curl_opensocket_callback = { context, _, address in
    guard let place = address, let address = address?.pointee, let context else { return -1 }
    let handle = Unmanaged<EasyHandle>.fromOpaque(context).takeUnretainedValue()
    guard !handle.refuses(ConnectionSockets.end(of: place)) else { return -1 }
    // Child processes must not inherit the socket.
    let kind = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(address.family, kind, address.protocol)
    if socket >= 0 {
      let isStream = address.socktype == Int32(SOCK_STREAM.rawValue)
      handle.sockets?.open(socket, isStream: isStream)
    }
    return socket
  }

  private func open(_ socket: Int32, isStream: Bool) {
    lastSerial += 1
    entries[socket] = Entry(isStream: isStream, serial: lastSerial)
    forget(socket)
  }

  private static let onClose: curl_closesocket_callback = { context, socket in
    if let sockets = ConnectionSockets.from(context), let entry = sockets.entries.removeValue(forKey: socket) {
      if let ends = entry.ends { sockets.byEnds[ends] = nil }
      sockets.forget(socket)
    }
    return close(socket)
  }

  // MARK: Addresses

  private static func end(of place: UnsafeMutablePointer<curl_sockaddr>) -> End? {
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    // libcurl reserves more space there than the type declares.
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
