// A libcurl easy handle: its options, its lists, its information after a transfer.

internal import CCurl
internal import Glibc

/// A libcurl easy handle. It belongs to one thread at a time; in a ``TransferLoop`` that is the loop's.
public final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// libcurl does not copy the addresses to connect to.
  private var connections: UnsafeMutablePointer<curl_slist>?
  /// libcurl does not copy the FTP commands before the transfer.
  private var commands: UnsafeMutablePointer<curl_slist>?
  /// The key of an SSH server, if it was checked.
  public internal(set) var hostKey: HostKey?
  /// The socket of the request in progress, if known. It may be queried but belongs to libcurl.
  public internal(set) var socket: Int32?
  var connectionSerial: Int?
  /// The number of sent bytes that the peer has not acknowledged yet; `nil` without a body, or if it is not known.
  public var unacknowledged: Int? { sendsBody ? socket.flatMap(ConnectionSockets.unacknowledged) : nil }
  /// Returns the objection to a textual address and a port; `nil` if there is none. Called before a socket is opened,
  /// also for FTP data, and before a request reuses a connection.
  public var objection: (@Sendable (_ address: String, _ port: Int) -> String?)?
  /// The objection that prevented the connection.
  private(set) var refusal: String?
  /// The objection to one of several addresses. It explains a failure to connect, not a later failure.
  private var partialRefusal: String?
  /// Whether a socket was opened for the request.
  private var hasOpened = false
  weak var sockets: ConnectionSockets?
  /// Whether any key of an SSH server is accepted.
  var takesAnyHostKey = false
  /// Whether to read a proxy's answer to CONNECT for ``TransferInfo/proxyWait``.
  public var watchesTunnel = false
  /// Whether the next request has a body and thus needs the callbacks for it.
  private(set) var sendsBody = false
  /// The cookies in use. The engine must live while libcurl refers to it.
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

  /// Resets all options to libcurl's defaults. Connections and caches stay; cookies do not.
  public func reset() {
    (socket, connectionSerial) = (nil, nil)
    // libcurl forgets the names of cookie files, one for each request, without freeing them.
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

  /// Sets a text; `nil` restores the default. libcurl copies it.
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
    // Only 2 checks the host. libcurl refuses 1, an old value.
    let on = option.raw == CURLOPT_SSL_VERIFYHOST ? 2 : 1
    try check(ccurl_setopt_long(raw, option.raw, value ? on : 0))
  }

  /// Sets the header fields to send, as lines `Name: value`. CURLOPT_HTTPHEADER(3) has the forms that remove a field or
  /// send it empty.
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

  /// Sets the commands to send to an FTP server right before the file is requested (CURLOPT_PREQUOTE(3)). The server
  /// may refuse a command that begins with `*`. Commands must not contain line ends or NUL.
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

  /// Gives up the connection of a request that stalled for `seconds`, if nothing has arrived on it. Also gives up the
  /// connections to the same address that were silent all that time.
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
    // A name may have several addresses; another one may accept the connection.
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
    // libcurl's text ends with the general meaning of its code. The system's reason is separate and more specific.
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
