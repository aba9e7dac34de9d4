// Requests as they come out of a connection's bytes. No I/O.

/// Cuts what a connection sends into requests.
struct RequestReader: Sendable {
  /// What has become complete.
  enum Event: Equatable {
    /// The head; what follows is its body. It is told once.
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
  /// What came and was not used yet.
  private var pending = ByteQueue()
  /// Where in `pending` the search for the end of the head goes on.
  private var searched = 0
  private var body: [UInt8] = []

  /// Makes a reader of a new connection.
  init(limits: WebLimits) { self.limits = limits }

  /// Bytes in memory.
  var held: Int { pending.count + body.count }
  /// Whether a request has begun and is not complete.
  var isMidway: Bool {
    if case .body = place { return true }
    return !pending.isEmpty
  }
  /// Whether the head has come, and the body has not.
  var isInBody: Bool { if case .body = place { true } else { false } }
  /// What came after the last request.
  var rest: ArraySlice<UInt8> { pending.all }

  /// Takes bytes that came.
  mutating func append(_ bytes: UnsafeRawBufferPointer) { pending.append(bytes) }

  /// The next event.
  /// - Throws: ``WebRefusal``; the connection is of no use afterwards.
  mutating func next() throws(WebRefusal) -> Event {
    switch place {
    case .head: try nextHead()
    case .body(let head, var part): try nextBody(head, &part)
    }
  }

  private mutating func nextHead() throws(WebRefusal) -> Event {
    skipEmptyLines()
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

  /// Clients of old send an empty line after a body (RFC 9112 §2.2).
  private mutating func skipEmptyLines() {
    var start = 0
    while start + 1 < pending.count, pending[start] == 0x0D, pending[start + 1] == 0x0A { start += 2 }
    guard start > 0 else { return }
    pending.removeFirst(start)
    searched = 0
  }

  /// The index after the empty line. Each byte is looked at once, however small the pieces are that it comes in.
  private mutating func endOfHead() -> Int? {
    while let found = pending[searched..<pending.count].firstIndex(of: 0x0A).map({ $0 - pending.all.startIndex }) {
      searched = found + 1
      if found >= 3, pending[found - 1] == 0x0D, pending[found - 2] == 0x0A { return found + 1 }
      // Bare line feeds end lines for some, so an empty line of that kind must not be waited past.
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

extension WebRefusal {
  fileprivate static func longHead(_ limit: Int) -> WebRefusal {
    WebRefusal(431, "The head of the request is longer than \(limit) bytes.")
  }
}
