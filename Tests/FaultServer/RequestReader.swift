// Requests out of a stream of bytes, with limits, so that a runaway client ends its test and not the machine.

/// Reads the requests of one connection, one after the other.
struct RequestReader {
  private static let headLimit = 8 << 20

  /// The number of bytes of a body that are kept.
  private let bodyLimit: Int
  private var buffer: [UInt8] = []

  /// Creates a reader that keeps the first `bodyLimit` bytes of each body.
  init(bodyLimit: Int = 16 << 20) { self.bodyLimit = bodyLimit }

  /// The head of the next request; nil at the end of the stream, or for bytes that are not a request.
  mutating func head(from socket: borrowing Socket, connection: Int) -> FaultServer.SeenRequest? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstRange(of: [13, 10, 13, 10]) {
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<end.upperBound)
        return Self.parse(head, connection: connection)
      }
      searched = max(0, buffer.count - 3)
      guard buffer.count < Self.headLimit, let more = socket.read() else { return nil }
      buffer += more
    }
  }

  /// The body of `request`, by `Content-Length` or chunks; nil if it is cut off.
  mutating func body(of request: FaultServer.SeenRequest, from socket: borrowing Socket) -> [UInt8]? {
    if request["Transfer-Encoding"]?.lowercased() == "chunked" { return chunks(from: socket) }
    guard let length = request["Content-Length"].flatMap({ Int($0) }), length > 0 else { return [] }
    return take(length, from: socket)
  }

  private mutating func chunks(from socket: borrowing Socket) -> [UInt8]? {
    var body: [UInt8] = []
    while let line = line(from: socket) {
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { return nil }
      if size == 0 {
        while let trailer = self.line(from: socket) {
          if trailer.isEmpty { return body }
        }
        return nil
      }
      guard let bytes = take(size, from: socket), take(2, from: socket) != nil else { return nil }
      body += bytes.prefix(bodyLimit - body.count)
    }
    return nil
  }

  private mutating func line(from socket: borrowing Socket) -> String? {
    while true {
      if let end = buffer.firstRange(of: [13, 10]) {
        defer { buffer.removeSubrange(..<end.upperBound) }
        return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
      }
      guard buffer.count < Self.headLimit, let more = socket.read() else { return nil }
      buffer += more
    }
  }

  /// Reads `count` bytes from the stream and returns the first ones, up to the kept limit.
  private mutating func take(_ count: Int, from socket: borrowing Socket) -> [UInt8]? {
    var kept: [UInt8] = []
    var left = count
    while true {
      let part = buffer.prefix(left)
      kept += part.prefix(bodyLimit - kept.count)
      left -= part.count
      buffer.removeFirst(part.count)
      if left == 0 { return kept }
      guard let more = socket.read() else { return nil }
      buffer = more
    }
  }

  /// Parses `head`, without the empty line at its end; nil if it is not a request.
  static func parse(_ head: String, connection: Int) -> FaultServer.SeenRequest? {
    // Swift reads CR LF as one character, so splitting at it is exact.
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    let fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count == 2 ? parts[1].drop { $0 == " " || $0 == "\t" } : ""
      return FaultServer.SeenRequest.Field(name: String(parts[0]), value: String(value))
    }
    return FaultServer.SeenRequest(
      method: String(words[0]), target: String(words[1]), fields: fields, connection: connection)
  }
}
