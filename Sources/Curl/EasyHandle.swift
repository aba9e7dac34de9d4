// One libcurl easy handle: its options, its lists, what it knows after a transfer.

internal import CCurl
internal import Glibc

/// A libcurl easy handle. It belongs to one thread at a time; within a ``TransferLoop`` that is the loop's.
public final class EasyHandle {
  let raw: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  /// Where to connect to; libcurl does not copy it.
  private var connections: UnsafeMutablePointer<curl_slist>?
  /// FTP's commands before the transfer; libcurl does not copy them.
  private var commands: UnsafeMutablePointer<curl_slist>?
  /// The key that an SSH server showed, if it was checked.
  public internal(set) var hostKey: HostKey?
  /// The socket that the request in progress went to, where that is known. It may be asked, and belongs to libcurl.
  public internal(set) var socket: Int32?
  /// Returns the objection to an address, in its text form, and a port; `nil` if there is none. Called before a socket
  /// is opened, also for FTP data, and before a request reuses a connection.
  public var objection: (@Sendable (_ address: String, _ port: Int) -> String?)?
  /// The objection that prevented the connection.
  private(set) var refusal: String?
  /// The objection to one of several addresses. It explains a failure to connect, not a failure after that.
  private var partialRefusal: String?
  /// Whether a socket was opened for the request.
  private var hasOpened = false
  /// Keeps the sockets of its connections.
  weak var sockets: ConnectionSockets?
  /// Whether any key of an SSH server will do.
  var takesAnyHostKey = false
  /// Whether the answer of a proxy to CONNECT is looked at for ``TransferInfo/proxyWait``.
  public var watchesTunnel = false
  /// Whether the next request has a body, so that the callbacks that give it are needed.
  private(set) var sendsBody = false
  /// The cookies in use: it must live as long as libcurl refers to it.
  var cookieEngine: CookieEngine?

  /// Makes a handle.
  /// - Throws: ``CurlError`` when libcurl cannot be set up, or has no memory for it.
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

  /// Sets all options back to libcurl's defaults; connections and caches stay, cookies do not.
  public func reset() {
    socket = nil
    // libcurl forgets the names of the files that cookies are read from, one for each request, and does not free them.
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

  /// Sets a text; `nil` is the default. libcurl keeps a copy.
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
    // The host is checked with 2 only; 1 is an old value that libcurl refuses now.
    let on = option.raw == CURLOPT_SSL_VERIFYHOST ? 2 : 1
    try check(ccurl_setopt_long(raw, option.raw, value ? on : 0))
  }

  /// Sets the header fields to send, each as one line `Name: value` (CURLOPT_HTTPHEADER(3) has the forms that take
  /// remove a field or send it empty).
  public func setHeaders(_ lines: [String]) throws(CurlError) {
    let old = headers
    headers = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_HTTPHEADER, headers)
    curl_slist_free_all(old)
  }

  /// Sets where to connect to instead of the host of the URL, each as one line `HOST:PORT:CONNECT-HOST:CONNECT-PORT`
  /// (CURLOPT_CONNECT_TO(3)). The request and the check of the certificate are those of the URL.
  public func setConnectTo(_ lines: [String]) throws(CurlError) {
    let old = connections
    connections = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_CONNECT_TO, connections)
    curl_slist_free_all(old)
  }

  /// Sets the commands that are sent to an FTP server right before the one that requests the file
  /// (CURLOPT_PREQUOTE(3)). The server may refuse a command that begins with `*`. No command may contain a line end or
  /// a NUL.
  public func setCommands(_ lines: [[UInt8]]) throws(CurlError) {
    let old = commands
    commands = try Self.list(lines)
    _ = ccurl_setopt_list(raw, CURLOPT_PREQUOTE, commands)
    curl_slist_free_all(old)
  }

  private static func list(_ lines: [String]) throws(CurlError) -> UnsafeMutablePointer<curl_slist>? {
    try list(lines.map { Array($0.utf8) })
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

  /// Whether the connection stands and the request may be on its way.
  public var isConnected: Bool {
    var value: curl_off_t = 0
    _ = ccurl_getinfo_offset(raw, CURLINFO_PRETRANSFER_TIME_T, &value)
    return value > 0
  }

  /// The address of the TLS session of the connection in use; `nil` without TLS.
  var tlsSession: UInt? {
    var info: UnsafeMutablePointer<curl_tlssessioninfo>?
    guard ccurl_getinfo_tls(raw, CURLINFO_TLS_SSL_PTR, &info) == CURLE_OK, let session = info?.pointee.internals else {
      return nil
    }
    return UInt(bitPattern: session)
  }

  /// The scheme of the request in progress, in lower case.
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

  /// Whether the request must not go there. Anything but an IP address is refused if there is a check.
  func refuses(_ end: ConnectionSockets.End?) -> Bool {
    let reason = objection.flatMap { $0(end?.address ?? "", end?.port ?? 0) }
    // A name may have several addresses, and another may accept the connection.
    if !hasOpened { refusal = reason }
    partialRefusal = reason ?? partialRefusal
    if reason == nil { hasOpened = true }
    return reason != nil
  }

  /// The request must not reuse this connection.
  func refuse(_ reason: String) { refusal = reason }

  /// What is known of the transfer so far.
  public var info: TransferInfo { TransferInfo(handle: raw) }

  /// The error for a result of a transfer on this handle, `nil` for success.
  func error(for result: CURLcode) -> CurlError? {
    guard result != CURLE_OK else { return nil }
    if let refusal { return CurlError(.addressRefused, refusal) }
    let text = String(cString: errorText)
    guard result == CURLE_COULDNT_CONNECT else { return CurlError(.init(result), text.isEmpty ? nil : text) }
    if let partialRefusal { return CurlError(.addressRefused, partialRefusal) }
    // libcurl ends its text with the meaning of its code, and has the system's reason separately.
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

/// The library as a whole.
public enum LibCurl {
  private static let initialized = curl_global_init(Int(CURL_GLOBAL_ALL))
  private static var info: curl_version_info_data { ccurl_version_info().pointee }

  /// Prepares libcurl for use, once per process. Handles do it automatically.
  /// - Throws: ``CurlError`` when it cannot be set up.
  static func initialize() throws(CurlError) {
    if initialized != CURLE_OK { throw CurlError(.init(initialized)) }
  }

  /// The TLS library that libcurl uses: `OpenSSL/3.0.19`; empty if it was built without one.
  public static var tlsLibrary: String { info.ssl_version.map { String(cString: $0) } ?? "" }

  /// The version of the libcurl in use: `7.88.1`.
  public static var version: String { String(cString: info.version) }

  /// The file of CA certificates that the libcurl in use was built with.
  public static var caFile: String? { info.cainfo.map { String(cString: $0) } }

  /// The directory of CA certificates that it was built with.
  public static var caDirectory: String? { info.capath.map { String(cString: $0) } }

  /// The protocols that the libcurl in use was built with: `http`, `https`, `sftp`, …
  public static var protocols: [String] {
    var names: [String] = []
    var next = info.protocols
    while let name = next?.pointee {
      names.append(String(cString: name))
      next = next?.successor()
    }
    return names
  }

  /// Whether the libcurl in use has a feature.
  public static func has(_ feature: LibCurlFeature) -> Bool { Int(info.features) & feature.rawValue != 0 }
}
