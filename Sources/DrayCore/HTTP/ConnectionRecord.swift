/// The connection over which an answer came, as `info` and `show` print it.
public struct ConnectionRecord: Sendable, Equatable, Codable {
  /// The address of the server or the proxy to which the connection goes.
  public var address: String
  /// The port.
  public var port: Int
  /// Whether the connection was reused.
  public var isReused: Bool
  /// The TLS of the connection; `nil` without TLS, or if the TLS library does not report it.
  public var tls: TLSRecord?
  /// The times of the request.
  public var timings: RequestTimings

  /// Creates a record.
  public init(address: String, port: Int, isReused: Bool, tls: TLSRecord?, timings: RequestTimings) {
    self.address = address
    self.port = port
    self.isReused = isReused
    self.tls = tls
    self.timings = timings
  }
}

/// The TLS of a connection.
public struct TLSRecord: Sendable, Equatable, Codable {
  /// The version in OpenSSL's spelling: `TLSv1.3`.
  public var version: String
  /// The cipher suite.
  public var cipher: String?
  /// The server's certificate, if known.
  public var certificate: CertificateRecord?

  /// Creates a record.
  public init(version: String, cipher: String?, certificate: CertificateRecord?) {
    self.version = version
    self.cipher = cipher
    self.certificate = certificate
  }
}

extension ResponseHead {
  /// Returns this head with only as many fields as the limits allow.
  func cut(fields limit: Int, bytes: Int) -> ResponseHead {
    var copy = self
    copy.reason = reason.start(80)
    var left = bytes
    copy.fields = Array(
      fields.prefix(limit).prefix { field in
        left -= field.name.utf8.count + field.value.utf8.count
        return left >= 0
      })
    return copy
  }
}
