// What an FTP server says on its control connection (RFC 959 §4.2): the lines that libcurl delivers are collected here.

/// One reply of an FTP server.
public struct FTPReply: Sendable, Equatable {
  /// The code: 150, 226, 550.
  public var code: Int
  /// The text of its last line, as the server wrote it; it must be escaped before it is printed.
  public var text: String

  /// Makes a reply.
  public init(_ code: Int, _ text: String) {
    self.code = code
    self.text = text
  }
}

/// The replies to one request, within limits (P13).
public struct FTPReplies: Sendable {
  /// Bytes of all replies to one request: a greeting may be long, but not unbounded.
  static let byteLimit = 256 << 10

  /// The last complete reply.
  public private(set) var last: FTPReply?
  /// The last reply that refuses something.
  public private(set) var refusal: FTPReply?
  /// Whether the server can start at a position (its 350 to `REST`).
  public private(set) var acceptsRest = false
  private var facts: [String] = []
  private var bytes = 0
  /// The code of a reply whose last line has not come yet.
  private var open: Int64?

  /// None so far.
  public init() {}

  /// Adds one line; `false` if there are too many.
  public mutating func take(_ line: some Collection<UInt8>) -> Bool {
    bytes += line.count
    guard bytes <= FTPReplies.byteLimit else { return false }
    let line = Array(line)
    guard line.count >= 3, case .value(let code) = DecimalDigits(line[..<3]), (100..<600).contains(code) else {
      return true
    }
    // A reply of several lines ends with a line that has its code and no hyphen.
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

  /// The length from `SIZE` (RFC 3659 §4). Both `MDTM`, which is asked first, and `SIZE` are answered by a 213.
  /// - Parameter timeIsKnown: whether `MDTM` was answered.
  public func size(timeIsKnown: Bool) -> Int64? {
    let values = facts.dropFirst(timeIsKnown ? 1 : 0)
    guard let text = values.last, case .value(let size) = DecimalDigits(text.utf8) else { return nil }
    return size
  }
}
