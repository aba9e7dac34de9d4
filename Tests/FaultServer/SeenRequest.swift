// Requests that the server received: one record each.

extension FaultServer {
  /// A received request, and the progress of its answer.
  public struct SeenRequest: Sendable {
    /// A field line, name and value as sent, without outer blanks.
    public struct Field: Sendable, Equatable {
      /// The name, in the case of the request.
      public let name: String

      /// The value.
      public let value: String
    }

    /// The method.
    public let method: String

    /// The request target as sent, query included.
    public let target: String

    /// The fields in the order they came.
    public let fields: [Field]

    /// The body, up to its first 16 MiB.
    public internal(set) var body: [UInt8] = []

    /// The number of the connection it came on, from 1.
    public let connection: Int

    /// When its head was complete.
    public let time = ContinuousClock.now

    /// The status of the answer; 0 until it is decided, and for a raw head.
    public internal(set) var status = 0

    /// Bytes of the answer's body that were handed to the network, framing not counted.
    public internal(set) var bodySent: Int64 = 0

    /// The bytes of the resource that the answer's body has; empty if it has others.
    public internal(set) var range: Range<Int64> = 0..<0

    /// Whether the answer is still being sent.
    public internal(set) var isBeingSent = true

    /// The lowest position within `range` that another request asked for while the answer was being sent: the client has
    /// split the range there.
    public internal(set) var split: Int64?

    /// Bytes of the answer's body before its split, as far as they were sent.
    ///
    /// A request cannot be shortened. Its client reads up to the split and closes the connection. By then the system has
    /// taken later bytes from the server, as many as its buffers hold: nobody reads these.
    public var bodyKept: Int64 { split.map { min(bodySent, $0 - range.lowerBound) } ?? bodySent }

    /// The value of the first field called `name`, in any case.
    public subscript(name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The target without its query and, for a request to a proxy, without scheme and host.
    public var path: String {
      var path = Substring(target)
      if let scheme = path.firstRange(of: "://") {
        let rest = path[scheme.upperBound...]
        path = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
      }
      return String(path.prefix { $0 != "?" })
    }
  }
}
