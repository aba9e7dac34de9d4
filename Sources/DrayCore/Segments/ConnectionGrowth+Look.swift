// A sample of a file and the other files of its origin, for the decision on connections.

extension ConnectionGrowth {
  /// A sample of the transfer.
  public struct Look: Sendable, Equatable {
    /// Connections that have received bytes.
    public var connections: Int
    /// Connections that were requested and have received no byte.
    public var opening: Int
    /// Bytes received since the start, over all connections.
    public var bytes: Int64
    /// Bytes still missing.
    public var remaining: Int64
    /// Whether this process's loop thread is the bottleneck.
    public var isSaturated: Bool
    /// The mean seconds from opening a connection to its first byte.
    public var latency: Double
    /// In seconds, between this machine and the server.
    public var roundTrip: Double
    /// Round trips from opening a connection to its first byte: two, and with TLS three.
    public var setUp: Int
    /// The same of all files of this origin together.
    public var line: Line

    /// The sums over all files of an origin, this one included.
    public struct Line: Sendable, Equatable {
      /// The connections of these files.
      public var connections: Int
      /// Bytes received since any moment before the first sample.
      public var bytes: Int64
      /// Packets received out of order since the last sample. After a lost packet, the next ones arrive out of order.
      public var outOfOrder: Int

      /// Creates a sum.
      public init(connections: Int, bytes: Int64, outOfOrder: Int) {
        (self.connections, self.bytes, self.outOfOrder) = (connections, bytes, outOfOrder)
      }
    }

    /// Creates a sample.
    /// - Parameters:
    ///   - roundTrip: In seconds; `nil` if it is only known by the latency.
    ///   - setUp: Round trips from opening a connection to its first byte.
    ///   - outOfOrder: The packets received out of order, of a file that is alone.
    ///   - line: The sums over all files of the origin; `nil` if this file is alone.
    public init(
      connections: Int, opening: Int, bytes: Int64, remaining: Int64, isSaturated: Bool = false, latency: Double = 0,
      roundTrip: Double? = nil, setUp: Int = 2, outOfOrder: Int = 0, line: Line? = nil
    ) {
      self.connections = connections
      self.opening = opening
      self.bytes = bytes
      self.remaining = remaining
      self.isSaturated = isSaturated
      self.latency = latency
      self.roundTrip = roundTrip ?? latency / Double(max(1, setUp))
      self.setUp = setUp
      self.line = line ?? Line(connections: connections, bytes: bytes, outOfOrder: outOfOrder)
    }

    /// No other file of the origin has connections.
    var isAlone: Bool { line.connections <= connections }

    /// This file's part of a rate of the line.
    func own(_ rate: Double) -> Double { rate * Double(connections) / Double(max(1, line.connections)) }
  }
}
