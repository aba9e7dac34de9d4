// The connection that an answer came over, as `info` and `show` print it.

/// What is known of the connection of an answer.
public struct ConnectionRecord: Sendable, Equatable, Codable {
  /// The address of the server, or of the proxy where there was one.
  public var address: String
  /// The port there.
  public var port: Int
  /// Whether it had been used before.
  public var isReused: Bool
  /// TLS, if it was used and the TLS library reports it.
  public var tls: TLSRecord?
  /// How long it took.
  public var timings: RequestTimings

  /// Makes a record.
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
  /// The version, in OpenSSL's words: `TLSv1.3`.
  public var version: String
  /// The cipher suite.
  public var cipher: String?
  /// The server's certificate, if it was seen.
  public var certificate: CertificateRecord?

  /// Makes a record.
  public init(version: String, cipher: String?, certificate: CertificateRecord?) {
    self.version = version
    self.cipher = cipher
    self.certificate = certificate
  }
}

/// How long the last request of an attempt took: seconds since it began, as curl counts them.
public struct RequestTimings: Sendable, Equatable, Codable {
  /// Until the name was resolved.
  public var nameLookup: Double
  /// Until the connection was established.
  public var connect: Double
  /// Until TLS was set up; `nil` without TLS, and on a connection that was used again.
  public var tls: Double?
  /// Until the first byte of the answer.
  public var firstByte: Double
  /// Until its end; `nil` as long as it has not ended.
  public var total: Double?

  /// Makes timings.
  public init(nameLookup: Double, connect: Double, tls: Double?, firstByte: Double, total: Double?) {
    self.nameLookup = nameLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }
}

extension ResponseHead {
  /// This head with as many of its fields, from the first on, as fit into these bounds.
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
