// What libcurl does not report but OpenSSL knows of a TLS connection: whether it was closed with notice, its version,
// its application protocol, and its unread bytes.

internal import CCurl
internal import Glibc
internal import Synchronization

/// The OpenSSL library to which libcurl is linked. Its functions are looked up at run time, because libcurl may use
/// another TLS library.
///
/// For libcurl, a body without a length ends when the TCP connection ends, whether or not TLS was closed before. An
/// attacker who can cut a connection could therefore cut a file (RFC 9112 §9.8). But OpenSSL reports every alert that
/// it reads, and so also the notice that TLS is closed.
enum OpenSSL {
  private typealias InfoCallback = @convention(c) (UnsafeRawPointer?, Int32, Int32) -> Void
  private typealias GetText = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?
  private typealias GetCipher = @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer?
  private typealias GetProtocol =
    @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt32>) ->
    Void
  private typealias HasPending = @convention(c) (UnsafeRawPointer?) -> Int32
  private typealias SetInfoCallback = @convention(c) (UnsafeMutableRawPointer?, InfoCallback) -> Void

  // These values are from openssl/ssl.h.
  private static let handshakeStart: Int32 = 0x10  // SSL_CB_HANDSHAKE_START
  private static let readAlert: Int32 = 0x4004  // SSL_CB_READ_ALERT
  private static let closeNotify: Int32 = 0  // SSL3_AD_CLOSE_NOTIFY

  /// The TLS sessions that were closed with notice, by the address of their `SSL`.
  private static let noticed = Mutex<Set<UInt>>([])

  private static let setInfoCallback: SetInfoCallback? = symbol("SSL_CTX_set_info_callback")
  private static let getVersion: GetText? = symbol("SSL_get_version")
  private static let getCipher: GetCipher? = symbol("SSL_get_current_cipher")
  private static let cipherName: GetText? = symbol("SSL_CIPHER_get_name")

  private static let getProtocol: GetProtocol? = symbol("SSL_get0_alpn_selected")
  private static let hasPending: HasPending? = symbol("SSL_has_pending")

  /// Returns a function of OpenSSL; `nil` if libcurl uses another TLS library, whose sessions and contexts have other
  /// types.
  private static func symbol<Function>(_ name: String) -> Function? {
    guard LibCurl.tlsLibrary.hasPrefix("OpenSSL/"), let symbol = dlsym(nil, name) else { return nil }
    return unsafeBitCast(symbol, to: Function.self)
  }

  /// Returns the version of TLS of a session in use, such as `TLSv1.3`.
  static func version(_ session: UInt) -> String? {
    guard let address = UnsafeRawPointer(bitPattern: session) else { return nil }
    return getVersion?(address).map { String(cString: $0) }
  }

  static func cipher(_ session: UInt) -> String? {
    guard let address = UnsafeRawPointer(bitPattern: session), let cipher = getCipher?(address) else { return nil }
    return cipherName?(cipher).map { String(cString: $0) }
  }

  /// Returns the application protocol that was negotiated for a session in use (ALPN), such as `h2`.
  static func applicationProtocol(_ session: UInt) -> String? {
    guard let address = UnsafeRawPointer(bitPattern: session), let getProtocol else { return nil }
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    getProtocol(address, &start, &count)
    return start.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
  }

  /// Whether bytes of a session in use have arrived on its socket but have not been read.
  static func hasBytes(_ session: UInt) -> Bool {
    guard let address = UnsafeRawPointer(bitPattern: session) else { return false }
    return hasPending?(address) ?? 0 != 0
  }

  /// A `CURLOPT_SSL_CTX_FUNCTION` that records which sessions are closed with notice.
  static let watchForNotice: ccurl_tls_callback = { _, context, _ in
    OpenSSL.setInfoCallback?(context) { session, event, value in
      let address = UInt(bitPattern: session)
      if event == OpenSSL.readAlert, value & 0xFF == OpenSSL.closeNotify {
        OpenSSL.noticed.withLock { _ = $0.insert(address) }
      } else if event & OpenSSL.handshakeStart != 0 {
        // A new session may have the address of an earlier one.
        OpenSSL.noticed.withLock { _ = $0.remove(address) }
      }
    }
    return CURLE_OK
  }

  /// Whether a session was closed with notice; also `true` if that is not known.
  static func wasNoticed(_ session: UInt) -> Bool {
    setInfoCallback == nil || noticed.withLock { $0.contains(session) }
  }
}
