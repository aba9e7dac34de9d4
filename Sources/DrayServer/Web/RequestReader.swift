// Parses the requests of a connection.

/// Splits received bytes into requests.
struct RequestReader: Sendable {
  /// A complete part of a request.
  enum Event: Equatable {
    /// The head of a request with a body. It is reported once.
    case head(RequestHead)
    /// A request with its body.
    case request(RequestHead, body: [UInt8])
    /// More bytes are needed.
    case more
  }

  private enum Place {
    case head
    case body(RequestHead, BodyPart)
  }

  private enum BodyPart {
    case length(Int)
    case chunked(ChunkedBody)
  }

  private let limits: WebLimits
  private var place = Place.head
  /// The received bytes that are not parsed yet.
  private var pending = ByteQueue()
  /// The offset in `pending` at which the search for the end of the head continues.
  private var searched = 0
  private var body: [UInt8] = []

  /// Creates a parser for a new connection.
  init(limits: WebLimits) { self.limits = limits }

  /// The number of bytes in memory.
  var held: Int { pending.count + body.count }
  /// Whether a request is incomplete.
  var isMidway: Bool {
    if case .body = place { return true }
    return !pending.isEmpty
  }
  /// Whether the head is complete but the body is not.
  var isInBody: Bool { if case .body = place { true } else { false } }
  /// The bytes after the last request.
  var rest: ArraySlice<UInt8> { pending.all }

  /// Appends received bytes.
  mutating func append(_ bytes: UnsafeRawBufferPointer) { pending.append(bytes) }

  /// Returns the next event.
  /// - Throws: ``WebRefusal``. The connection is then unusable.
  mutating func next() throws(WebRefusal) -> Event {
    switch place {
    case .head: try nextHead()
    case .body(let head, var part): try nextBody(head, &part)
    }
  }

  private mutating func nextHead() throws(WebRefusal) -> Event {
    skipEmptyLines()
    // A client that waits for an answer of another protocol sends no end of a head.
    if let first = pending.all.first, !first.isTokenPart, first != 0x0D, first != 0x0A {
      throw first == TLSRecord.handshake ? .tls : WebRefusal(400, "The first line is not METHOD TARGET VERSION.")
    }
    guard let end = endOfHead() else {
      guard pending.count < limits.head else { throw .longHead(limits.head) }
      return .more
    }
    guard end <= limits.head else { throw .longHead(limits.head) }
    let head = try RequestHead(pending[0..<(end - 2)], limits: limits)
    pending.removeFirst(end)
    searched = 0
    switch head.framing {
    case .none: place = .body(head, .length(0))
    case .length(let length): place = .body(head, .length(length))
    case .chunked: place = .body(head, .chunked(ChunkedBody(limit: limits.body)))
    }
    return .head(head)
  }

  /// Skips empty lines, which old clients send after a body (RFC 9112 §2.2).
  private mutating func skipEmptyLines() {
    var start = 0
    while start + 1 < pending.count, pending[start] == 0x0D, pending[start + 1] == 0x0A { start += 2 }
    guard start > 0 else { return }
    pending.removeFirst(start)
    searched = 0
  }

  /// Returns the index after the empty line. Each byte is examined once, however small the received pieces are.
  private mutating func endOfHead() -> Int? {
    while let found = pending[searched..<pending.count].firstIndex(of: 0x0A).map({ $0 - pending.all.startIndex }) {
      searched = found + 1
      if found >= 3, pending[found - 1] == 0x0D, pending[found - 2] == 0x0A { return found + 1 }
      // Some clients end lines with a bare LF. Do not wait for more after an empty line of that kind.
      if found >= 1, pending[found - 1] == 0x0A { return found + 1 }
    }
    searched = pending.count
    return nil
  }

  private mutating func nextBody(_ head: RequestHead, _ part: inout BodyPart) throws(WebRefusal) -> Event {
    switch part {
    case .length(let length):
      let count = min(length - body.count, pending.count)
      if body.isEmpty { body = pending.takeFirst(count) } else { body += pending.takeFirst(count) }
      guard body.count == length else { return .more }
    case .chunked(var chunks):
      pending.removeFirst(try chunks.take(pending.all, to: &body))
      guard chunks.isDone else {
        place = .body(head, .chunked(chunks))
        return .more
      }
    }
    place = .head
    defer { body = [] }
    return .request(head, body: body)
  }
}

/// A record of TLS (RFC 8446 §5.1).
private enum TLSRecord {
  /// The first byte of a client that speaks it.
  static let handshake: UInt8 = 22
}

extension WebRefusal {
  fileprivate static let tls = WebRefusal(400, "TLS is not spoken here: use http://.")

  fileprivate static func longHead(_ limit: Int) -> WebRefusal {
    WebRefusal(431, "The head of the request is longer than \(limit) bytes.")
  }
}
