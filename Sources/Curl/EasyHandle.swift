// A libcurl easy handle: its options, its lists, and the information after a transfer.

internal import CCurl
internal import Glibc

/// A libcurl easy handle. It belongs to one thread at a time; in a ``TransferLoop``, to the thread of the loop.
public final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// The addresses to connect to are kept here, because libcurl does not copy them.
  private var connections: UnsafeMutablePointer<curl_slist>?
  /// The FTP commands are kept here, because libcurl does not copy them before the transfer.
  private var commands: UnsafeMutablePointer<curl_slist>?
  /// The key of an SSH server; `nil` if no key was checked.
  public internal(set) var hostKey: HostKey?
  /// The socket of the request in progress; `nil` if it is not known. Callers may ask the socket for its state, but it
  /// belongs to libcurl.
  public internal(set) var socket: Int32?
  var connectionSerial: Int?
  /// The number of sent bytes that the peer has not acknowledged yet; `nil` if no body is sent, or if the number is not
  /// known.
  public var unacknowledged: Int? { sendsBody ? socket.flatMap(ConnectionSockets.unacknowledged) : nil }
  /// Returns the reason why the request must not connect to an address (as text) and a port; `nil` if it may. It is
  /// called before a socket is opened, also for FTP data, and before a request reuses a connection.
  public var objection: (@Sendable (_ address: String, _ port: Int) -> String?)?
  /// The reason why the request did not connect.
  private(set) var refusal: String?
  /// The reason why one of several addresses was not used. It explains a failure to connect, but no later failure.
  private var partialRefusal: String?
  /// Whether a socket was opened for the request.
  private var hasOpened = false
  weak var sockets: ConnectionSockets?
  /// Whether every key of an SSH server is accepted.
  var takesAnyHostKey = false
  /// Whether a proxy's answer to CONNECT is read for ``TransferInfo/proxyWait``.
  public var watchesTunnel = false
  /// Whether the next request has a body, and therefore needs the callbacks for a body.
  private(set) var sendsBody = false
  /// The cookies that the handle uses. They are kept here because libcurl refers to them.
  var cookieEngine: CookieEngine?

  /// Creates a handle.
  /// - Throws: ``CurlError`` if libcurl cannot be set up, or has no memory.
  public init() throws(CurlError) {
    try LibCurl.initialize()
    guard let raw = curl_easy_init() else { throw CurlError(.init(CURLE_FAILED_INIT)) }
    self.raw = raw
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    _ = ccurl_setopt_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(headers)
    curl_slist_free_all(connections)
    curl_slist_free_all(commands)
    errorText.deallocate()
  }

  /// Resets all options to libcurl's defaults. Connections and caches stay, but cookies do not.
  public func reset() {
    (socket, connectionSerial) = (nil, nil)
    // For each request, libcurl keeps the name of a cookie file and does not free it, so these names are removed here.
    if cookieEngine != nil { _ = ccurl_setopt_string(raw, CURLOPT_COOKIEFILE, nil) }
    curl_easy_reset(raw)
    if cookieEngine != nil {
      _ = ccurl_setopt_pointer(raw, CURLOPT_SHARE, nil)
      cookieEngine = nil
    }
    curl_slist_free_all(headers)
    curl_slist_free_all(connections)
    curl_slist_free_all(commands)
    (headers, connections, commands) = (nil, nil, nil)
    (hostKey, takesAnyHostKey) = (nil, false)
    (objection, refusal, partialRefusal, hasOpened) = (nil, nil, nil, false)
    (sendsBody, watchesTunnel) = (false, false)
    errorText.pointee = 0
    _ = ccurl_setopt_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
  }

  /// Sets a text, which libcurl copies; `nil` restores the default.
  public func set(_ option: Option<String>, _ value: String?) throws(CurlError) {
    try check(ccurl_setopt_string(raw, option.raw, value))
  }

  /// Sets a number.
  public func set(_ option: Option<Int>, _ value: Int) throws(CurlError) {
    try check(ccurl_setopt_long(raw, option.raw, value))
  }

  /// Sets a switch.
  public func set(_ option: Option<Bool>, _ value: Bool) throws(CurlError) {
    if option.raw == CURLOPT_UPLOAD { sendsBody = value }
    // Only the value 2 checks the host; libcurl refuses 1, which is an old value.
    let on = option.raw == CURLOPT_SSL_VERIFYHOST ? 2 : 1
    try check(ccurl_setopt_long(raw, option.raw, value ? on : 0))
  }

  /// Sets the header fields of the request, as lines `Name: value`. CURLOPT_HTTPHEADER(3) describes the forms that
  /// remove a field or send it without a value.
  public func setHeaders(_ lines: [String]) throws(CurlError) {
    let old = headers
    headers = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_HTTPHEADER, headers)
    curl_slist_free_all(old)
  }

  /// Sets addresses to connect to instead of the URL's host, as lines `HOST:PORT:CONNECT-HOST:CONNECT-PORT`
  /// (CURLOPT_CONNECT_TO(3)). The request and the certificate check still use the URL.
  public func setConnectTo(_ lines: [String]) throws(CurlError) {
    let old = connections
    connections = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_CONNECT_TO, connections)
    curl_slist_free_all(old)
  }

  /// Sets the commands to send to an FTP server right before the file is requested (CURLOPT_PREQUOTE(3)). A command
  /// that begins with `*` may fail. Commands must not contain line ends or NUL.
  public func setCommands(_ lines: [[UInt8]]) throws(CurlError) {
    let old = commands
    commands = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_PREQUOTE, commands)
    curl_slist_free_all(old)
  }

  private static func list(_ lines: [String]) throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        throw CurlError(.init(CURLE_OUT_OF_MEMORY))
      }
      list = longer
    }
    return list
  }

  private static func list(_ lines: [[UInt8]]) throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line.map { CChar(bitPattern: $0) } + [0]) else {
        curl_slist_free_all(list)
        throw CurlError(.init(CURLE_OUT_OF_MEMORY))
      }
      list = longer
    }
    return list
  }

  /// Gives up the connection of a request that has stalled for `seconds`, if nothing has arrived on it. The connections
  /// to the same address that were silent for all that time are given up as well.
  public func giveUpConnection(stalledFor seconds: Double) {
    if let socket { sockets?.giveUp(socket, stalledFor: seconds) }
  }

  /// Whether the connection is established and the request may have been sent.
  public var isConnected: Bool {
    var value: curl_off_t = 0
    _ = ccurl_getinfo_offset(raw, CURLINFO_PRETRANSFER_TIME_T, &value)
    return value > 0
  }

  /// The address of the connection's TLS session; `nil` without TLS.
  var tlsSession: UInt? {
    var info: UnsafeMutablePointer<curl_tlssessioninfo>?
    guard ccurl_getinfo_tls(raw, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK, let session = info?.pointee.internals else {
      return nil
    }
    return UInt(bitPattern: session)
  }

  /// The scheme of the request in progress, lowercase.
  var scheme: String {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_getinfo_string(raw, CURLINFO_SCHEME, &text) == CURLE_OK, let text else { return "" }
    return String(cString: text).lowercased()
  }

  /// Whether a connection was opened for the request in progress.
  var hasNewConnection: Bool {
    var count = 0
    _ = ccurl_getinfo_long(raw, CURLINFO_NUM_CONNECTS, &count)
    return count > 0
  }

  func refuses(_ end: ConnectionSockets.End?) -> Bool {
    let reason = objection.flatMap { $0(end?.address ?? "", end?.port ?? 0) }
    // If a name has several addresses, another one may still accept the connection.
    if !hasOpened { refusal = reason }
    partialRefusal = reason ?? partialRefusal
    if reason == nil { hasOpened = true }
    return reason != nil
  }

  func refuse(_ reason: String) { refusal = reason }

  /// The present information on the transfer.
  public var info: TransferInfo { TransferInfo(handle: raw) }

  func error(for result: CURLcode) -> CurlError? {
    guard result != CURLE_OK else { return nil }
    if let refusal { return CurlError(.addressRefused, refusal) }
    let text = String(cString: errorText)
    guard result == CURLE_COULDNT_CONNECT else { return CurlError(.init(result), text.isEmpty ? nil : text) }
    if let partialRefusal { return CurlError(.addressRefused, partialRefusal) }
    // libcurl's text ends with the general meaning of its code. The system's reason, which libcurl reports separately,
    // is more specific.
    var reason = 0
    _ = ccurl_getinfo_long(raw, CURLINFO_OS_ERRNO, &reason)
    let general = String(cString: curl_easy_strerror(result))
    guard reason != 0, text.hasSuffix(general) else { return CurlError(.init(result), text) }
    return CurlError(.init(result), text.dropLast(general.count) + String(cString: strerror(Int32(reason))))
  }

  private func check(_ result: CURLcode) throws(CurlError) {
    if result != CURLE_OK { throw CurlError(.init(result)) }
  }
}
