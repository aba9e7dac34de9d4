// Reads the heads of answers line by line, within bounds (P13).

internal import DrayCore

/// Gathers the lines that libcurl hands out into heads, and counts what a server may send.
struct HeadParser {
  /// What a line completed.
  enum Event: Equatable {
    /// Nothing yet.
    case none
    /// The head of the final answer.
    case final(ResponseHead)
    /// That answer was not the final one: libcurl has met its challenge, and another answer begins.
    case superseded
    /// The line, or the sum of lines, breaks the rules.
    case violation(String)
  }

  /// Bytes of all heads and trailers of one request.
  static let byteLimit = 256 << 10
  /// Interim answers (1xx) to one request.
  static let interimLimit = 32
  /// Answers to one request that libcurl itself asks again after: NTLM by way of a proxy takes four.
  static let challengeLimit = 10

  private var head: ResponseHead?
  private var isFinal = false
  private var bytes = 0
  private var interims = 0
  /// Whether libcurl may answer the final head by itself: a challenge, or an Expect that was refused.
  private var mayGoOn = false
  private var challenges = 0

  /// Whether libcurl has met a challenge, so that credentials were tried.
  var hasBeenMet: Bool { challenges > 0 }

  /// Reads one line, its end included.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
    bytes += line.count
    guard bytes <= HeadParser.byteLimit else { return .violation("its header fields do not end") }
    if isFinal, !mayGoOn { return .none }  // Trailers: counted, and of no use.
    // libcurl takes a line that begins so for the end of the head, and what follows it for the body.
    guard !HeadParser.endsEarly(line) else { return .violation("a line of its head begins with CR") }
    if let event = takePlainField(line) { return event }
    guard !line.contains(0) else { return .violation("a NUL byte in its header fields") }
    let text = HeadParser.text(line)
    if isFinal { return goOn(text) }
    if head == nil { return begin(text) }
    if text.isEmpty { return complete() }
    return addField(text)
  }

  /// Whether a line begins as the empty one does that ends a head, and is not empty.
  private static func endsEarly(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.first == 0x0D else { return false }
    return line.count > 2 || line.count == 2 && line[1] != 0x0A
  }

  /// Reads a field as they nearly always come: printable ASCII, a name, a colon, a value; `nil` leaves the line to the
  /// rules for all others.
  private mutating func takePlainField(_ line: UnsafeRawBufferPointer) -> Event? {
    guard !isFinal, head != nil else { return nil }
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    var colon = -1
    for index in 0..<end {
      let byte = line[index]
      guard byte >= 0x20, byte < 0x7F else { return nil }
      if byte == UInt8(ascii: ":"), colon < 0 { colon = index }
    }
    guard colon > 0, line[0] != 0x20, line[colon - 1] != 0x20 else { return nil }
    var start = colon + 1
    while start < end, line[start] == 0x20 { start += 1 }
    while end > start, line[end - 1] == 0x20 { end -= 1 }
    head?.fields.append(
      HeaderField(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[start..<end], as: UTF8.self)))
    return Event.none
  }

  /// A line after a head that may be followed by another: the status line of that one, or a trailer.
  private mutating func goOn(_ line: String) -> Event {
    guard let parsed = HeadParser.statusLine(line) else { return .none }
    challenges += 1
    guard challenges <= HeadParser.challengeLimit else { return .violation("unbounded authentication challenges") }
    (head, isFinal, mayGoOn) = (parsed, false, false)
    return .superseded
  }

  private mutating func begin(_ line: String) -> Event {
    guard let parsed = HeadParser.statusLine(line) else { return .violation("status line \(line.start(80))") }
    head = parsed
    return .none
  }

  private mutating func addField(_ line: String) -> Event {
    if line.first == " " || line.first == "\t" {
      // obs-fold (RFC 9112 §5.2): one space, and on with the value.
      if let last = head?.fields.indices.last { head?.fields[last].value += " " + line.trimmingSpaces() }
      return .none
    }
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return .none }
    // A blank before the colon hides a field from some who read it and not from others (RFC 9112 §5.1).
    guard line[..<colon].last != " ", line[..<colon].last != "\t" else {
      return .violation("a space before the colon of a header field")
    }
    let value = line[line.index(after: colon)...].trimmingSpaces()
    head?.fields.append(HeaderField(String(line[..<colon].trimmingSpaces()), String(value)))
    return .none
  }

  private mutating func complete() -> Event {
    guard let done = head else { return .none }
    head = nil
    if (100..<200).contains(done.status), done.status != 101 {
      interims += 1
      return interims > HeadParser.interimLimit ? .violation("unbounded interim answers (1xx)") : .none
    }
    isFinal = true
    mayGoOn = [401, 407, 417].contains(done.status)
    return .final(done)
  }

  /// `HTTP/1.1 200 OK` (RFC 9112 §4); HTTP/2 comes from libcurl in the same form.
  static func statusLine(_ line: String) -> ResponseHead? {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3,
      parts[1].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let status = Int(parts[1]), (100..<600).contains(status)
    else { return nil }
    return ResponseHead(
      version: String(parts[0].dropFirst(5)), status: status, reason: parts.count > 2 ? String(parts[2]) : "")
  }

  /// A line without its end: UTF-8, or else Latin-1. A bare CR becomes a space (RFC 9110 §5.5). Other control characters
  /// become U+FFFD: they cannot be printed (P8), and a structured field is void with one as it is with the other.
  private static func text(_ line: UnsafeRawBufferPointer) -> String {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    let clean = line[..<end].flatMap { byte -> [UInt8] in
      guard byte < 0x20, byte != 0x09 else { return [byte] }
      return byte == 0x0D ? [0x20] : [0xEF, 0xBF, 0xBD]
    }
    if let text = String(validating: clean, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(clean.map { Unicode.Scalar($0) }))
  }
}
