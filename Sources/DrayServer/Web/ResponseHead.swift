// Writes the head of an answer (RFC 9112 §4).

/// The transfer of an answer, as far as the request determines it.
struct ResponseForm: Sendable, Equatable {
  /// The body, as described by the head.
  enum Body: Equatable {
    case length(Int)
    /// Chunked; for clients without chunks, up to the end of the connection.
    case unknown
    /// No body and no length: 1xx, 204, 304 (RFC 9110 §8.6).
    case none
  }

  /// Whether the body is omitted, as in an answer to HEAD (RFC 9110 §9.3.2).
  var isHeadOnly = false
  /// The minor version of the client: 0 or 1.
  var version = 1
  /// Whether the connection is kept.
  var keepsAlive = true

  /// Whether a body of unknown length is chunked.
  var isChunked: Bool { version == 1 }

  /// Returns the head of an answer.
  /// - Parameter date: The time in the form of a `Date` field (RFC 9110 §5.6.7).
  func head(_ status: Int, _ fields: WebFields, _ body: Body, date: String) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(StatusText.of(status))\r\nDate: \(date)\r\n"
    for field in fields.list {
      text += field.name
      text += ": "
      text += Self.oneLine(field.value)
      text += "\r\n"
    }
    switch body {
    case .length(let length): text += "Content-Length: \(length)\r\n"
    case .unknown: if isChunked { text += "Transfer-Encoding: chunked\r\n" }
    case .none: break
    }
    if status != 101 {
      if !keepsAlive { text += "Connection: close\r\n" } else if version == 0 { text += "Connection: keep-alive\r\n" }
    }
    return Array((text + "\r\n").utf8)
  }

  /// Returns a value in which no other field can start (RFC 9110 §5.5).
  private static func oneLine(_ value: String) -> String {
    guard !value.utf8.allSatisfy(\.isFieldPart) else { return value }
    return String(decoding: value.utf8.map { $0.isFieldPart ? $0 : 0x20 }, as: UTF8.self)
  }
}

/// The reason phrases, on which nothing depends (RFC 9112 §4).
enum StatusText {
  private static let known: [Int: String] = [
    100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
    304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 417: "Expectation Failed", 421: "Misdirected Request",
    422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]

  static func of(_ status: Int) -> String { known[status] ?? "" }
}

/// A chunk (RFC 9112 §7.1).
enum Chunk {
  /// The end of a body.
  static let last: [UInt8] = Array("0\r\n\r\n".utf8)

  /// Returns the bytes as a chunk; nothing for an empty one, which would end the body.
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }
}
