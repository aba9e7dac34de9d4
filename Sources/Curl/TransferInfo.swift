// What libcurl knows of a transfer.

internal import CCurl

/// What libcurl knows of a transfer (curl_easy_getinfo(3)).
public struct TransferInfo: Sendable, Equatable {
  /// What is known of a request that never began.
  public init() {
    (address, proxyStatus, newConnections, certificateError) = ("", 0, 0, 0)
    (nameLookup, connect, tls, firstByte, total) = (0, 0, 0, 0, 0)
    isConnected = false
    proxySchemes = []
    proxyWait = nil
  }

  /// The address that the connection went to.
  public let address: String
  /// The status of the proxy's answer to CONNECT, 0 if there was none.
  public let proxyStatus: Int
  /// The schemes of authentication that the proxy offers, by the names that they have in a challenge.
  public let proxySchemes: [String]
  /// The `Retry-After` of a proxy that refuses CONNECT, as ``EasyHandle/watchesTunnel`` asked for it; `nil` if it has none.
  public internal(set) var proxyWait: String?
  /// How many connections were opened for it: 0 if one was used again.
  public let newConnections: Int
  /// Seconds until the name was known, counted from the start.
  public let nameLookup: Double
  /// Seconds until the connection was established.
  public let connect: Double
  /// Seconds until TLS was set up, 0 without.
  public let tls: Double
  /// Whether the connection was established and the request may have been sent.
  public let isConnected: Bool
  /// Whether TLS, if it was used, announced that the connection would close. A body whose end is that of the connection is
  /// cut off if it did not (RFC 9112 §9.8).
  public internal(set) var endedWithNotice = true
  /// Seconds until the first byte of the answer.
  public let firstByte: Double
  /// Seconds from start to end.
  public let total: Double
  /// What went wrong with the certificate (X509_V_ERR_…), 0 for nothing.
  public let certificateError: Int

  init(handle: UnsafeMutableRawPointer) {
    func long(_ info: CURLINFO) -> Int {
      var value = 0
      _ = ccurl_getinfo_long(handle, info, &value)
      return value
    }
    func seconds(_ info: CURLINFO) -> Double {
      var value: curl_off_t = 0
      _ = ccurl_getinfo_offset(handle, info, &value)
      return Double(value) / 1_000_000
    }
    var text: UnsafeMutablePointer<CChar>?
    _ = ccurl_getinfo_string(handle, CURLINFO_PRIMARY_IP, &text)
    address = text.map { String(cString: $0) } ?? ""
    proxyStatus = long(CURLINFO_HTTP_CONNECTCODE)
    proxyWait = nil
    let offered = proxyStatus == 407 ? long(CURLINFO_PROXYAUTH_AVAIL) : 0
    proxySchemes = [
      ("Basic", AuthenticationScheme.basic), ("Digest", AuthenticationScheme.digest),
      ("Negotiate", AuthenticationScheme.negotiate), ("NTLM", AuthenticationScheme.ntlm),
    ].filter { offered & $0.1 != 0 }.map(\.0)
    newConnections = long(CURLINFO_NUM_CONNECTS)
    nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
    connect = seconds(CURLINFO_CONNECT_TIME_T)
    tls = seconds(CURLINFO_APPCONNECT_TIME_T)
    isConnected = seconds(CURLINFO_PRETRANSFER_TIME_T) > 0
    firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
    total = seconds(CURLINFO_TOTAL_TIME_T)
    certificateError = long(CURLINFO_SSL_VERIFYRESULT)
  }
}
