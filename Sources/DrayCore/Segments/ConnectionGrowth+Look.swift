// A sample of a file and of the other files of its origin, from which the number of connections is decided.

extension ConnectionGrowth {
  /// A sample of the transfer.
  package struct Look: Sendable, Equatable {
    /// The number of connections that have received bytes.
    package var connections: Int
    /// The number of connections that were requested and have received nothing yet.
    package var opening: Int
    /// The number of bytes received since the start, over all connections.
    package var bytes: Int64
    /// The number of bytes that are still missing.
    package var remaining: Int64
    /// Whether the thread of this process that runs the transfers is the bottleneck.
    package var isSaturated: Bool
    /// The mean number of seconds from opening a connection to its first byte.
    package var latency: Double
    /// In seconds, between this machine and the server.
    package var roundTrip: Double
    /// Round trips from opening a connection to its first byte: two, and with TLS three.
    package var setUp: Int
    /// The same of all files of this origin together.
    package var line: Line

    /// Sums over all files of an origin, including this one.
    package struct Line: Sendable, Equatable {
      /// The number of connections of these files.
      package var connections: Int
      /// The number of bytes received since some moment before the first sample.
      package var bytes: Int64
      /// The number of packets that arrived out of order since the last sample. When a packet is lost, those that
      /// follow it arrive out of order.
      package var outOfOrder: Int

      /// Creates a sum.
      package init(connections: Int, bytes: Int64, outOfOrder: Int) {
        (self.connections, self.bytes, self.outOfOrder) = (connections, bytes, outOfOrder)
      }
    }

    /// Creates a sample.
    /// - Parameters:
    ///   - roundTrip: In seconds; `nil` if it is only known by the latency.
    ///   - setUp: Round trips from opening a connection to its first byte.
    ///   - outOfOrder: The packets received out of order, of a file that is alone.
    ///   - line: The sums over all files of the origin; `nil` if this file is alone.
    package init(
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

    /// Whether no other file of the origin has connections.
    var isAlone: Bool { line.connections <= connections }

    /// Returns the share of this file in a rate of all files of the origin, by the number of connections.
    func own(_ rate: Double) -> Double { rate * Double(connections) / Double(max(1, line.connections)) }
  }
}
