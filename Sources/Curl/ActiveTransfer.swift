// A transfer in the loop: its handle, the context of its callbacks, and its pause.

internal import CCurl

/// A transfer that the loop drives. libcurl's callbacks get this object as their context.
final class ActiveTransfer {
  let id: TransferID
  let transfer: any LoopTransfer
  let handle: EasyHandle
  /// The time from which paused body bytes may be delivered again.
  var pausedUntil: Double?
  /// The time at which the next request starts, if the request is delayed.
  var submitAt: Double?
  /// Whether no options have been set on the handle yet. A handle is reset when its transfer ends, before another
  /// transfer gets it.
  private var isFresh = true
  /// Whether the transfer has refused bytes of the body. In that case, all further bytes of the same answer are refused
  /// as well.
  private var hasRefused = false
  /// Whether the next request needs a new connection, because unrequested bytes were found on the present one.
  private(set) var needsFreshConnection = false
  /// Whether the present request uses a new connection because unrequested bytes were found on the one before.
  private var hasFreshConnection = false
  /// The socket of a connection that is reused, until the first byte of the answer has been checked (`isUnasked()`).
  private var doubtful: Int32?
  private var tlsSession: UInt?
  private var hasBody = false
  /// The fields `Retry-After` and `Date` of the last head that arrived before a request was sent. Such a head comes
  /// from a proxy.
  private var (tunnelWait, tunnelDate): (String?, String?) = (nil, nil)
  private let timers: LoopTimers
  private let sockets: ConnectionSockets

  init(
    id: TransferID, transfer: any LoopTransfer, handle: EasyHandle, timers: LoopTimers, sockets: ConnectionSockets
  ) {
    self.id = id
    self.transfer = transfer
    self.handle = handle
    self.timers = timers
    self.sockets = sockets
  }

  /// Pauses the body, whether it is received or sent, until a time.
  private func pause(until time: Double) {
    pausedUntil = time
    timers.note(time)
  }

  /// Prepares the handle for the next request.
  func prepare() throws(CurlError) {
    if !isFresh { handle.reset() }
    isFresh = false
    (pausedUntil, tlsSession, hasBody, hasRefused, doubtful) = (nil, nil, false, false, nil)
    (tunnelWait, tunnelDate) = (nil, nil)
    (hasFreshConnection, needsFreshConnection) = (needsFreshConnection, false)
    try handle.set(.noSignal, true)
    sockets.watch(handle)
    _ = ccurl_setopt_tls_callback(handle.raw, CURLOPT_SSL_CTX_FUNCTION, OpenSSL.watchForNotice)
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_HEADERDATA, context)
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_WRITEDATA, context)
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_PRIVATE, context)
    _ = ccurl_setopt_data_callback(handle.raw, CURLOPT_HEADERFUNCTION, ActiveTransfer.onHeader)
    _ = ccurl_setopt_data_callback(handle.raw, CURLOPT_WRITEFUNCTION, ActiveTransfer.onBody)
    _ = ccurl_setopt_pointer(handle.raw, CURLOPT_PREREQDATA, context)
    _ = ccurl_setopt_prerequest_callback(handle.raw, CURLOPT_PREREQFUNCTION, ActiveTransfer.beforeRequest)
    try transfer.prepare(handle)
    if handle.sendsBody {
      _ = ccurl_setopt_pointer(handle.raw, CURLOPT_READDATA, context)
      _ = ccurl_setopt_pointer(handle.raw, CURLOPT_SEEKDATA, context)
      _ = ccurl_setopt_data_callback(handle.raw, CURLOPT_READFUNCTION, ActiveTransfer.onSend)
      _ = ccurl_setopt_seek_callback(handle.raw, CURLOPT_SEEKFUNCTION, ActiveTransfer.onRewind)
    }
    if hasFreshConnection { try handle.set(.freshConnection, true) }
    if handle.watchesTunnel {
      // libcurl reports the fields of a proxy's answer only in its log, or as if they came from the server.
      _ = ccurl_setopt_pointer(handle.raw, CURLOPT_DEBUGDATA, context)
      _ = ccurl_setopt_debug_callback(handle.raw, CURLOPT_DEBUGFUNCTION, ActiveTransfer.onLog)
      try handle.set(.verbose, true)
    }
  }

  var info: TransferInfo {
    var info = handle.info
    info.endedWithNotice = tlsSession.map(OpenSSL.wasNoticed) ?? true
    if info.proxyStatus >= 300 { (info.proxyWait, info.proxyDate) = (tunnelWait, tunnelDate) }
    info.wasGivenUp = handle.connectionSerial.map(sockets.isGivenUp) ?? false
    return info
  }

  /// Resumes the delivery of body bytes. libcurl may call back within this call.
  /// - Returns: The error with which the transfer must end; `nil` if it continues. The transfer must also end if its
  ///   callback refused bytes within this call, because libcurl would continue without these bytes.
  func proceed() -> CurlError? {
    guard pausedUntil != nil else { return nil }
    pausedUntil = nil
    let result = curl_easy_pause(handle.raw, CURLPAUSE_CONT)
    return hasRefused || result != CURLE_OK ? handle.error(for: result) ?? CurlError(.init(CURLE_WRITE_ERROR)) : nil
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> ActiveTransfer? {
    context.map { Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Checks the connection just before a request is sent. Bytes on it that nobody requested would be taken for the
  /// answer.
  private static let beforeRequest: curl_prereq_callback = { context, remote, local, remotePort, localPort in
    guard let active = ActiveTransfer.from(context) else { return Int32(CURL_PREREQFUNC_OK) }
    let address = remote.map { String(cString: $0) } ?? ""
    if let reason = active.handle.objection.flatMap({ $0(address, Int(remotePort)) }) {
      active.handle.refuse(reason)
      return Int32(CURL_PREREQFUNC_ABORT)
    }
    guard let remote, let local else { return active.begins(nil) }
    return active.begins(
      ConnectionSockets.Ends(
        local: .init(address: String(cString: local), port: Int(localPort)),
        remote: .init(address: String(cString: remote), port: Int(remotePort))))
  }

  /// Lets a request start on the connection with these two ends, if nothing unrequested has arrived on it.
  private func begins(_ ends: ConnectionSockets.Ends?) -> Int32 {
    let socket = ends.flatMap(sockets.socket)
    (handle.socket, handle.connectionSerial) = (socket, nil)
    doubtful = nil
    if !hasFreshConnection, handle.scheme.hasPrefix("http") {
      guard let socket else {
        // A connection that cannot be checked serves only one request.
        guard handle.hasNewConnection else { return refuseConnection() }
        return goAhead()
      }
      if sockets.wasUsed(socket), !isMultiplexed {
        // Over TLS, the bytes may be part of TLS itself. In that case the connection is given up although it could have
        // been reused.
        let isUnclean = ConnectionSockets.hasBytes(socket) || handle.tlsSession.map(OpenSSL.hasBytes) ?? false
        if isUnclean { return refuseConnection() }
        // While a body is sent, an answer may come before the server has read all of it, so such an answer is not checked.
        if !handle.sendsBody { doubtful = socket }
      }
    }
    handle.connectionSerial = socket.flatMap(sockets.begin)
    return goAhead()
  }

  private func goAhead() -> Int32 {
    if handle.watchesTunnel { try? handle.set(.verbose, false) }
    transfer.willSend()
    return Int32(CURL_PREREQFUNC_OK)
  }

  private func refuseConnection() -> Int32 {
    needsFreshConnection = true
    return Int32(CURL_PREREQFUNC_ABORT)
  }

  /// Whether the connection uses HTTP/2, which assigns each answer to its request.
  private var isMultiplexed: Bool { handle.tlsSession.flatMap(OpenSSL.applicationProtocol) == "h2" }

  /// Whether the server sent the answer before it had read the request. Such bytes are the rest of an earlier answer.
  private func isUnasked() -> Bool {
    guard let socket = doubtful else { return false }
    doubtful = nil
    guard ConnectionSockets.isUnacknowledged(socket) else { return false }
    needsFreshConnection = true
    return true
  }

  private static let onSend: ccurl_data_callback = { bytes, size, count, context in
    guard let active = ActiveTransfer.from(context) else { return Int(CURL_READFUNC_ABORT) }
    switch active.transfer.send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count)) {
    case .sent(let count):
      return count
    case .pause(let time):
      active.pause(until: time)
      return Int(CURL_READFUNC_PAUSE)
    case .abort:
      return Int(CURL_READFUNC_ABORT)
    }
  }

  private static let onRewind: curl_seek_callback = { context, offset, origin in
    guard origin == SEEK_SET, let active = ActiveTransfer.from(context), active.transfer.rewind(to: Int64(offset))
    else {
      return CURL_SEEKFUNC_FAIL
    }
    return CURL_SEEKFUNC_OK
  }

  private static let onHeader: ccurl_data_callback = { bytes, size, count, context in
    guard let active = ActiveTransfer.from(context), !active.isUnasked() else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    // The session is recorded at the end of each head, because `onBody` is not called for an empty body, which may have
    // been cut off as well. The last head is that of the server.
    if line.count <= 2 { active.tlsSession = active.handle.tlsSession }
    return active.transfer.receive(header: line) ? size * count : 0
  }

  private static let onLog: curl_debug_callback = { _, kind, bytes, count, context in
    guard kind == CURLINFO_HEADER_IN, let bytes, let active = ActiveTransfer.from(context) else { return 0 }
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, 200)), as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      (active.tunnelWait, active.tunnelDate) = (nil, nil)
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      switch line[..<colon].lowercased() {
      case "retry-after": active.tunnelWait = value
      case "date": active.tunnelDate = value
      default: break
      }
    }
    return 0
  }

  private static let onBody: ccurl_data_callback = { bytes, size, count, context in
    guard let active = ActiveTransfer.from(context), !active.hasRefused else { return 0 }
    if !active.hasBody {
      active.hasBody = true
      active.tlsSession = active.handle.tlsSession
    }
    switch active.transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) {
    case .taken:
      return size * count
    case .pause(let time):
      active.pause(until: time)
      return Int(CURL_WRITEFUNC_PAUSE)
    case .abort:
      active.hasRefused = true
      return 0
    }
  }
}
