// The head of an answer as bytes (RFC 9112 §4).

/// How an answer is transferred, as far as the request decides it.
struct ResponseForm: Sendable, Equatable {
  /// The body in the head's terms.
  enum Body: Equatable {
    case length(Int)
    /// In chunks, or, to a client that does not know them, up to the end of the connection.
    case unknown
    /// None, and no length: 1xx, 204, 304 (RFC 9110 §8.6).
    case none
  }

  /// Whether the body is left out: the answer to HEAD (RFC 9110 §9.3.2).
  var isHeadOnly = false
  /// The minor version of the client: 0 or 1.
  var version = 1
  /// Whether the connection is used again.
  var keepsAlive = true

  /// Whether a body of unknown length is sent in chunks.
  var isChunked: Bool { version == 1 }

  /// The head of an answer.
  /// - Parameter date: the time, in the form of fields (RFC 9110 §5.6.7).
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

  /// A value can not begin another field (RFC 9110 §5.5).
  private static func oneLine(_ value: String) -> String {
    guard !value.utf8.allSatisfy(\.isFieldPart) else { return value }
    return String(decoding: value.utf8.map { $0.isFieldPart ? $0 : 0x20 }, as: UTF8.self)
  }
}

/// The words after a status, which nothing depends on (RFC 9112 §4).
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
  /// What ends a body.
  static let last: [UInt8] = Array("0\r\n\r\n".utf8)

  /// The bytes as a chunk; nothing for none, because that would end the body.
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A]
  }
}
