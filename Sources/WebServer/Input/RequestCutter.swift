// Cuts the requests of a connection apart, and checks their lengths and their first lines.

internal import NIOCore

/// Cuts received bytes at the ends of heads and bodies, so that the parser has no more than one request.
///
/// SwiftNIO's parser has no limit for a whole head, accepts more than one space in its first line, and parses the next
/// request at once.
struct RequestCutter: InputCutter {
  private enum Place {
    case head
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

  init(limits: WebLimits) { self.limits = limits }

  var isMidway: Bool { if case .head = place { pending.readableBytes > 0 } else { true } }
  var isInBody: Bool { if case .head = place { false } else { true } }

  /// The parser has the head.
  mutating func begin(_ framing: BodyFraming) {
    switch framing {
    case .none: place = .body(left: 0)
    case .length(let length): place = .body(left: length)
    case .chunked: place = .chunks(EndOfChunks())
    }
  }

  /// The parser has the whole request.
  mutating func finish() { place = .head }

  mutating func next() throws -> ByteBuffer? {
    switch place {
    case .head: return try nextHead()
    // The parser has not reported this head, so it would wait for more bytes.
    case .headGiven, .body(left: 0): throw WebRefusal(400, "The request is malformed.")
    case .body(let left):
      let count = min(left, pending.readableBytes)
      place = .body(left: left - count)
      return take(count)
    case .chunks(var end):
      let count = end.find(in: pending.readableBytesView)
      place = count == nil ? .chunks(end) : .body(left: 0)
      return take(count ?? pending.readableBytes)
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
    // A TLS client waits for an answer, and never sends the end of a head.
    guard first != TLSContentType.handshake else { throw WebRefusal(400, "TLS is not spoken here: use http://.") }
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
      // An empty line with a bare LF is no valid end of a head. The parser gets such a line, and refuses it.
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

/// Finds the end of a chunked body (RFC 9112 §7.1). The parser checks the body.
private struct EndOfChunks {
  private enum Place {
    /// In the line with a chunk's size: before its end, and after its digits.
    case size(Int), afterSize(Int)
    /// In the data of a chunk and the end of its line, with this many bytes left.
    case data(Int)
    /// In a trailer's line, or in the empty line that ends the body.
    case trailer(isEmpty: Bool)
  }

  /// A size beyond all limits. Larger sizes count as this one.
  private static let longest = 1 << 40

  private var place = Place.size(0)

  /// Returns the number of bytes up to the end; `nil` if the end is not among them.
  mutating func find(in bytes: ByteBufferView) -> Int? {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if case .data(let left) = place {
        let count = min(left, bytes.endIndex - index)
        place = count == left ? .size(0) : .data(left - count)
        index += count
        continue
      }
      if step(bytes[index]) { return index + 1 - bytes.startIndex }
      index += 1
    }
    return nil
  }

  /// Returns whether the byte is the last one of its line.
  private mutating func step(_ byte: UInt8) -> Bool {
    switch (place, byte) {
    case (.size(let size), 0x0A), (.afterSize(let size), 0x0A):
      place = size == 0 ? .trailer(isEmpty: true) : .data(size + 2)
    case (.size(let size), _):
      let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      place = digit.map { .size(min(size << 4 | $0, Self.longest)) } ?? .afterSize(size)
    case (.trailer(let isEmpty), 0x0A):
      if isEmpty { return true }
      place = .trailer(isEmpty: true)
    case (.trailer, 0x0D): break
    case (.trailer, _): place = .trailer(isEmpty: false)
    case (.afterSize, _), (.data, _): break
    }
    return false
  }
}

/// The types of TLS records (RFC 8446 §5.1).
private enum TLSContentType {
  /// The first byte from a client that speaks TLS.
  static let handshake: UInt8 = 22
}

extension WebRefusal {
  fileprivate static let badLine = WebRefusal(400, "The first line is not METHOD TARGET VERSION.")

  fileprivate static func longHead(_ limit: Int) -> WebRefusal {
    WebRefusal(431, "The head of the request is longer than \(limit) bytes.")
  }
}
