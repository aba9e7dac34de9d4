// Describes the connection of an answer, with what libcurl and OpenSSL report.

internal import CCurl

/// The connection that a transfer uses. The information is available while the head or the body arrives.
public struct ConnectionInfo: Sendable, Equatable {
  /// The address of the other end.
  public let address: String
  /// The port of the other end.
  public let port: Int
  /// The version of TLS, such as `TLSv1.3`; `nil` without TLS, or if the TLS library does not report it.
  public let tlsVersion: String?
  /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`.
  public let cipher: String?
  /// The server's certificate as lines `Name:value` (CURLINFO_CERTINFO(3)); empty unless ``Option/certificateInfo`` is
  /// set and the connection is new.
  public let certificate: [String]
}

extension EasyHandle {
  /// The connection that this handle uses now.
  public var connection: ConnectionInfo {
    let session = tlsSession
    return ConnectionInfo(
      address: address, port: port, tlsVersion: session.flatMap(OpenSSL.version),
      cipher: session.flatMap(OpenSSL.cipher), certificate: session == nil ? [] : certificate)
  }

  private var address: String {
    var text: UnsafeMutablePointer<CChar>?
    _ = ccurl_getinfo_string(raw, CURLINFO_PRIMARY_IP, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  private var port: Int {
    var value = 0
    _ = ccurl_getinfo_long(raw, CURLINFO_PRIMARY_PORT, &value)
    return value
  }

  /// The server's certificate, which is the first in the chain.
  private var certificate: [String] {
    var info: UnsafeMutablePointer<curl_certinfo>?
    guard ccurl_getinfo_certificates(raw, CURLINFO_CERTINFO, &info) == CURLE_OK, let info,
      info.pointee.num_of_certs > 0
    else { return [] }
    var lines: [String] = []
    var entry = info.pointee.certinfo?.pointee
    while let line = entry {
      if let data = line.pointee.data { lines.append(String(cString: data)) }
      entry = line.pointee.next
    }
    return lines
  }
}
