// The connection of an answer, as printed by `info` and `show`.

/// The facts about an answer's connection.
public struct ConnectionRecord: Sendable, Equatable, Codable {
  /// The address of the server or the proxy to which the connection goes.
  public var address: String
  /// The port.
  public var port: Int
  /// Whether the connection was reused.
  public var isReused: Bool
  /// The TLS of the connection, if used and reported by the TLS library.
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
  /// With only the first fields that fit the limits.
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
