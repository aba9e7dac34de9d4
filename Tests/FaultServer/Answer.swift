// The settings of one answer: its deviations from a server that follows the rules.

extension FaultServer {
  /// How one request is answered: by the rules of HTTP, except for the fields set here.
  public struct Answer: Sendable {
    // MARK: The head

    /// The status; nil for the status by the rules. With 206 and no `Range` in the request the whole is sent as a
    /// range.
    /// Other than 200 and 206, the body is `body` or a short error page.
    public var status: Int?

    /// The reason phrase; nil for the usual one.
    public var reason: String?

    /// Header lines, verbatim, without their line end. A line replaces the computed field of its name.
    /// `{first}`, `{last}`, `{total}` and `{length}` become the numbers of the computed answer.
    public var headers: [String] = []

    /// Names of computed fields that are left out.
    public var without: Set<String> = []

    /// Interim answers before the head.
    public var interim: Interim?

    /// The whole head, verbatim, in place of the computed one; empty for HTTP/0.9.
    public var rawHead: [UInt8]?

    /// Sends only this many bytes of the head, then ends the connection by `ending`.
    public var headCut: Int?

    /// The whole answer, piece by piece. Replaces all other fields except `version` and `latency`.
    public var wire: [Wire]?

    /// The end of the connection after the last piece of `wire`.
    public var wireEnd = WireEnd.close

    // MARK: The rules of ranges

    /// Answers a `Range` with 200 and the whole.
    public var ignoresRange = false

    /// Serves the range without regard to `If-Range`.
    public var ignoresIfRange = false

    /// Answers 200 to any `If-Range`, even a matching one; a plain `Range` or one with `If-Match` gets its 206.
    public var refusesIfRange = false

    /// Where a range answer really starts; its `Content-Range` says so.
    public var start = Start.asked

    /// Sends at most this many bytes of a range, with a matching `Content-Range`, as a server may (RFC 9110 §15.3.7).
    public var rangeLimit: Int64?

    // MARK: The body

    /// The content switches to this version permanently before the request is answered.
    public var version: Version?

    /// A body in place of the content; ranges do not cut it.
    public var body: [UInt8]?

    /// Wraps a range in a `multipart/byteranges` of one part.
    public var multipart = false

    /// The framing of the body.
    public var framing = Framing.length

    /// Bytes of garbage sent after the end of the body; not counted in `Content-Length`.
    public var excess = 0

    /// Ends the connection by `ending` after this many bytes of the body, without the chunk's end.
    public var bodyCut: Int64?

    /// Bytes of garbage after a cut, as from a proxy that pads the answer.
    public var padding = 0

    /// How a cut ends the connection.
    public var ending = Ending.close

    // MARK: The pace

    /// Seconds between the request and the head.
    public var latency = 0.0

    /// Bytes per second of the head; nil for as fast as it goes.
    public var headRate: Int?

    /// Bytes per second of the body; nil for as fast as it goes.
    public var rate: Int?

    /// Places in the body where the answer waits.
    public var holds: [Hold] = []

    // MARK: The connection

    /// Sends `Connection: close`, and closes after the answer.
    public var closes = false

    /// A correct answer with `status`, changed by `change`.
    public init(_ status: Int? = nil, _ change: (inout Answer) -> Void = { _ in }) {
      self.status = status
      change(&self)
    }
  }

  /// Interim answers (RFC 9110 §15.2).
  public struct Interim: Sendable {
    /// The status of each.
    public var status: Int

    /// The header lines of each, verbatim.
    public var headers: [String]

    /// How many are sent.
    public var count: Int

    /// `count` interim answers of `status`.
    public init(_ status: Int, headers: [String] = [], count: Int = 1) {
      self.status = status
      self.headers = headers
      self.count = count
    }
  }

  /// Where a range answer starts.
  public enum Start: Sendable, Equatable {
    /// The requested position.
    case asked
    /// At this byte.
    case at(Int64)
    /// This many bytes later than asked; earlier when negative.
    case shifted(Int64)
  }

  /// The framing of a body (RFC 9112 §6).
  public enum Framing: Sendable {
    /// By `Content-Length`.
    case length
    /// By chunks.
    case chunked(Chunks)
    /// By the end of the connection.
    case close
  }

  /// How a body is chunked (RFC 9112 §7.1).
  public struct Chunks: Sendable {
    /// Bytes a chunk.
    public var size = 16_384

    /// The size line of the chunk of this index is replaced by this text, without its line end.
    public var badSize: (index: Int, text: String)?

    /// Bytes of extension on every size line.
    public var extensionBytes = 0

    /// Trailer lines, verbatim.
    public var trailers: [String] = []

    /// Correct chunks, changed by `change`.
    public init(_ change: (inout Chunks) -> Void = { _ in }) {
      change(&self)
    }
  }

  /// How a connection is ended before its time.
  public enum Ending: Sendable {
    /// By a FIN.
    case close
    /// By a RST (`SO_LINGER` 0).
    case reset
  }

  /// A wait in the middle of a body. It also ends when the peer leaves or the server stops.
  public struct Hold: Sendable {
    /// The event to wait for.
    enum Release: Sendable {
      case seconds(Double)
      case gate(Gate)
    }

    /// Bytes of this answer's body that are sent before.
    let offset: Int64
    let release: Release

    /// Whether the wait is for a gate rather than a time.
    public var isForGate: Bool {
      if case .gate = release { true } else { false }
    }

    /// Waits for `seconds` after `offset` bytes of the body.
    public static func stall(after offset: Int64, seconds: Double) -> Hold {
      Hold(offset: offset, release: .seconds(seconds))
    }

    /// Waits for `gate` to open after `offset` bytes of the body.
    public static func gate(_ gate: Gate, after offset: Int64) -> Hold {
      Hold(offset: offset, release: .gate(gate))
    }
  }
}
