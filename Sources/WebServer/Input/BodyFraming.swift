// The framing of a request's body (RFC 9112 §6).

enum BodyFraming: Equatable {
  case none
  /// The body has this length in bytes, which is not 0.
  case length(Int)
  case chunked

  /// Reads the fields. Refuses ambiguous ones, because they can smuggle a request past a proxy (§11.2). The parser
  /// refuses most of them, too.
  /// - Parameter limit: The maximum length of a body in bytes.
  /// - Throws: ``WebRefusal`` with 400, 413 or 501.
  init(_ fields: WebFields, version: Int, limit: Int) throws(WebRefusal) {
    let lengths = fields.all("Content-Length")
    let codings = fields.all("Transfer-Encoding")
    guard lengths.count < 2, codings.count < 2, lengths.isEmpty || codings.isEmpty else {
      throw WebRefusal(400, "The length of the body is given more than once.")
    }
    if let coding = codings.first {
      guard version == 1 else { throw WebRefusal(400, "HTTP/1.0 has no transfer codings.") }
      guard coding.utf8.isSame(as: "chunked".utf8) else {
        throw WebRefusal(501, "The transfer coding is not known.")
      }
      self = .chunked
    } else if let length = lengths.first {
      guard let number = Int(length), number >= 0 else { throw WebRefusal(400, "Content-Length is not a number.") }
      guard number <= limit else { throw .tooLarge(limit) }
      self = number == 0 ? .none : .length(number)
    } else {
      self = .none
    }
  }
}

extension WebRefusal {
  static func tooLarge(_ limit: Int) -> WebRefusal { WebRefusal(413, "The body is larger than \(limit) bytes.") }
}
