/// How long the last request of an attempt took, in seconds from its start, as measured by curl.
public struct RequestTimings: Sendable, Equatable, Codable {
  /// The time until the name was resolved.
  public var nameLookup: Double
  /// The time until the connection was established.
  public var connect: Double
  /// The time until TLS was set up; `nil` without TLS and on a reused connection.
  public var tls: Double?
  /// The time until the first byte of the answer.
  public var firstByte: Double
  /// The time until the end of the answer; `nil` before the end.
  public var total: Double?

  /// Creates timings.
  public init(nameLookup: Double, connect: Double, tls: Double?, firstByte: Double, total: Double?) {
    self.nameLookup = nameLookup
    self.connect = connect
    self.tls = tls
    self.firstByte = firstByte
    self.total = total
  }
}
