// Cuts the requests of a connection apart, and checks their lengths and their first lines.

internal import NIOCore

/// Cuts received bytes at the ends of heads and bodies, so that the parser has no more than one request.
///
/// SwiftNIO's parser has no limit for a whole head, accepts more than one space in its first line, and goes on with the
/// next request by itself.
struct RequestCutter: InputCutter {
  private enum Place {
    case head
    /// The head was passed on.
    case headGiven
    /// In a body, with this many bytes left.
    case body(left: Int)
    case chunks(EndOfChunks)
  }

  private let limits: WebLimits
  private var place = Place.head
  var pending = ByteBuffer()
  /// The number of pending bytes that were searched for the end of the head.
  private var searched = 0

  /// Creates a cutter for a new connection.
  init(limits: WebLimits) { self.limits = limits }

  var isMidway: Bool { if case .head = place { pending.readableBytes > 0 } else { true } }
  /// Whether the head is complete but the body is not.
  var isInBody: Bool { if case .head = place { false } else { true } }

  /// Records that the parser has the head.
  mutating func begin(_ framing: BodyFraming) {
    switch framing {
    case .none: place = .body(left: 0)
    case .length(let length): place = .body(left: length)
    case .chunked: place = .chunks(EndOfChunks())
    }
  }

  /// Records that the parser has the whole request.
  mutating func finish() { place = .head }

  mutating func next() throws -> ByteBuffer? {
    switch place {
    case .head: return try nextHead()
    // The parser does not know this as a head, so it would wait.
    case .headGiven, .body(left: 0): throw WebRefusal(400, "The request is malformed.")
    case .body(let left):
      let count = min(left, pending.readableBytes)
      place = .body(left: left - count)
      return take(count)
    case .chunks(var end):
      let count = end.find(in: pending.readableBytesView)
      place = .chunks(end)
      return take(count)
    }
  }

  private mutating func take(_ count: Int) -> ByteBuffer? {
    guard count > 0, let piece = pending.readSlice(length: count) else { return nil }
    // Frees the memory of a large request.
    if pending.readableBytes == 0 { pending = ByteBuffer() }
    return piece
  }

  // MARK: Heads

  private mutating func nextHead() throws(WebRefusal) -> ByteBuffer? {
    skipEmptyLines()
    guard let first = pending.readableBytesView.first else { return nil }
    // A client that waits for an answer of another protocol sends no end of a head.
    guard first != TLSRecord.handshake else { throw WebRefusal(400, "TLS is not spoken here: use http://.") }
    guard first == 0x0D || (0x41...0x5A).contains(first) else { throw .badLine }
    guard let length = endOfHead() else {
      guard pending.readableBytes < limits.head else { throw .longHead(limits.head) }
      return nil
    }
    guard length <= limits.head else { throw .longHead(limits.head) }
    try checkLine(pending.readableBytesView.prefix { $0 != 0x0A })
    searched = 0
    place = .headGiven
    return take(length)
  }

  /// Skips empty lines, which old clients send after a body (RFC 9112 §2.2).
  private mutating func skipEmptyLines() {
    while pending.readableBytesView.prefix(2).elementsEqual([0x0D, 0x0A]) {
      pending.moveReaderIndex(forwardBy: 2)
      searched = 0
    }
    if pending.readableBytes == 0 { pending = ByteBuffer() }
  }

  /// Returns the length of the head. Each byte is examined once, however small the received pieces are.
  private mutating func endOfHead() -> Int? {
    let bytes = pending.readableBytesView
    while let found = bytes[(bytes.startIndex + searched)...].firstIndex(of: 0x0A) {
      searched = found + 1 - bytes.startIndex
      let line = bytes[..<found].suffix(2)
      // An empty line that ends with a bare LF is none, but the parser must see it, to refuse it.
      if line.elementsEqual([0x0A, 0x0D]) || line.last == 0x0A { return searched }
    }
    searched = bytes.count
    return nil
  }

  /// Checks the first line (RFC 9112 §3): the parser also accepts more spaces, and the protocols RTSP and ICE.
  private func checkLine(_ line: ByteBufferView) throws(WebRefusal) {
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard line.last == 0x0D, parts.count == 3, let version = parts.last?.dropLast() else { throw .badLine }
    guard parts[1].count <= limits.target else {
      throw WebRefusal(414, "The target is longer than \(limits.target) bytes.")
    }
    switch String(decoding: version, as: UTF8.self) {
    case "HTTP/1.0", "HTTP/1.1": break
    case let other where other.hasPrefix("HTTP/"): throw WebRefusal(505, "HTTP/1.1 is spoken here.")
    default: throw WebRefusal(400, "The version is invalid.")
    }
  }
}

/// Finds where a chunked body may end: its last bytes are the LF of a line and an empty line (RFC 9112 §7.1). Chunks may
/// have these bytes, too, so only the parser knows where it ends.
private struct EndOfChunks {
  /// The number of bytes of `LF CR LF` that were found.
  private var found = 0

  /// Returns the number of bytes up to a possible end; of all if there is none.
  mutating func find(in bytes: ByteBufferView) -> Int {
    for (place, byte) in bytes.enumerated() {
      switch (byte, found) {
      case (0x0A, 2):
        found = 1
        return place + 1
      case (0x0A, _): found = 1
      case (0x0D, 1): found = 2
      default: found = 0
      }
    }
    return bytes.count
  }
}

/// A record of TLS (RFC 8446 §5.1).
private enum TLSRecord {
  /// The first byte of a client that speaks it.
  static let handshake: UInt8 = 22
}

extension WebRefusal {
  fileprivate static let badLine = WebRefusal(400, "The first line is not METHOD TARGET VERSION.")

  fileprivate static func longHead(_ limit: Int) -> WebRefusal {
    WebRefusal(431, "The head of the request is longer than \(limit) bytes.")
  }
}
