// What libcurl reports about a transfer.

internal import CCurl

/// What libcurl reports about a transfer (curl_easy_getinfo(3)).
public struct TransferInfo: Sendable, Equatable {
  /// Creates the information for a request that was never sent.
  public init() {
    (address, proxyStatus, newConnections, certificateError, systemError) = ("", 0, 0, 0, 0)
    (nameLookup, connect, tls, firstByte, total) = (0, 0, 0, 0, 0)
    isConnected = false
    proxySchemes = []
    (proxyWait, proxyDate) = (nil, nil)
  }

  /// The address of the connection.
  public let address: String
  /// The status of the proxy's answer to CONNECT; 0 if there was none.
  public let proxyStatus: Int
  /// The authentication schemes that the proxy offers, by their names in challenges.
  public let proxySchemes: [String]
  /// The `Retry-After` of a proxy that refuses CONNECT; `nil` if the proxy sends none, and if
  /// ``EasyHandle/watchesTunnel`` was not set.
  public internal(set) var proxyWait: String?
  /// The `Date` of the same answer.
  public internal(set) var proxyDate: String?
  /// The number of connections opened for the transfer; 0 if one was reused.
  public let newConnections: Int
  /// The seconds from the start until name lookup finished.
  public let nameLookup: Double
  /// The seconds from the start until the connection was established.
  public let connect: Double
  /// The seconds from the start until TLS was set up; 0 without TLS.
  public let tls: Double
  /// Whether the connection was established and the request may have been sent.
  public let isConnected: Bool
  /// Whether TLS, if it is used, announced the end of the connection. If TLS did not, a body that ends with the
  /// connection counts as cut off (RFC 9112 §9.8).
  public internal(set) var endedWithNotice = true
  /// Whether the request's connection was given up because it was silent
  /// (``EasyHandle/giveUpConnection(stalledFor:)``).
  public internal(set) var wasGivenUp = false
  /// The seconds from the start until the first byte of the answer.
  public let firstByte: Double
  /// The seconds from start to end.
  public let total: Double
  /// The certificate error (X509_V_ERR_…); 0 if there is none.
  public let certificateError: Int
  /// The `errno` of a connection that could not be established; 0 if there is none.
  public let systemError: Int32

  /// The schemes that a proxy may offer.
  private static let schemes = [
    ("Basic", AuthenticationScheme.basic), ("Digest", AuthenticationScheme.digest),
    ("Negotiate", AuthenticationScheme.negotiate), ("NTLM", AuthenticationScheme.ntlm),
  ]

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
    (proxyWait, proxyDate) = (nil, nil)
    let offered = proxyStatus == 407 ? long(CURLINFO_PROXYAUTH_AVAIL) : 0
    proxySchemes = offered == 0 ? [] : TransferInfo.schemes.filter { offered & $0.1 != 0 }.map(\.0)
    newConnections = long(CURLINFO_NUM_CONNECTS)
    nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
    connect = seconds(CURLINFO_CONNECT_TIME_T)
    tls = seconds(CURLINFO_APPCONNECT_TIME_T)
    isConnected = seconds(CURLINFO_PRETRANSFER_TIME_T) > 0
    firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
    total = seconds(CURLINFO_TOTAL_TIME_T)
    certificateError = long(CURLINFO_SSL_VERIFYRESULT)
    systemError = Int32(truncatingIfNeeded: long(CURLINFO_OS_ERRNO))
  }
}
