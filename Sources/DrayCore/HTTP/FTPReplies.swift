// Collects the replies on an FTP control connection (RFC 959 §4.2) from the lines that libcurl delivers.

/// One reply of an FTP server.
package struct FTPReply: Sendable, Equatable {
  /// The code: 150, 226, 550.
  package var code: Int
  /// The text of the last line as the server wrote it. Escape it before printing.
  package var text: String

  /// Creates a reply.
  package init(_ code: Int, _ text: String) {
    self.code = code
    self.text = text
  }
}

/// The replies to one request, within a limit (P13).
package struct FTPReplies: Sendable {
  /// The maximum size in bytes of all replies to one request; a greeting may be long.
  static let byteLimit = 256 << 10

  /// The last complete reply.
  package private(set) var last: FTPReply?
  /// The last reply that refused a command.
  package private(set) var refusal: FTPReply?
  /// Whether the server can start at a position: it has answered `REST` with 350.
  package private(set) var acceptsRest = false
  private var facts: [String] = []
  private var bytes = 0
  /// The code of the reply whose last line has not arrived yet.
  private var open: Int64?

  /// Creates an empty collection.
  package init() {}

  /// Adds one line; returns `false` if there are too many bytes.
  package mutating func take(_ line: some Collection<UInt8>) -> Bool {
    bytes += line.count
    guard bytes <= FTPReplies.byteLimit else { return false }
    let line = Array(line)
    guard line.count >= 3, case .value(let code) = DecimalDigits(line[..<3]), (100..<600).contains(code) else {
      return true
    }
    // The last line of a multi-line reply has its code without a hyphen.
    guard line.count == 3 || line[3] != UInt8(ascii: "-") else {
      open = open ?? code
      return true
    }
    guard open == nil || open == code else { return true }
    open = nil
    let text = String(decoding: line.dropFirst(3).filter { !$0.isControl }, as: UTF8.self).trimmingSpaces()
    let reply = FTPReply(Int(code), text.start(200))
    last = reply
    if code >= 400 { refusal = reply }
    if code == 350 { acceptsRest = true }
    if code == 213, facts.count < 4 { facts.append(String(text)) }
    return true
  }

  /// Returns the length from the answer to `SIZE` (RFC 3659 §4). Before that, the server may have answered `MDTM`, with
  /// the same status 213.
  /// - Parameter timeIsKnown: Whether the server answered `MDTM`.
  package func size(timeIsKnown: Bool) -> Int64? {
    let values = facts.dropFirst(timeIsKnown ? 1 : 0)
    guard let text = values.last, case .value(let size) = DecimalDigits(text.utf8) else { return nil }
    return size
  }
}
