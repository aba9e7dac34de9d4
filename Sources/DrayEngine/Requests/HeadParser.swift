// Parses the heads of answers line by line, within limits (P13).

internal import DrayCore

/// Collects libcurl's lines into heads, and limits what a server may send.
struct HeadParser {
  enum Event: Equatable {
    /// No head is complete yet.
    case none
    case final(ResponseHead)
    /// The previous answer was not final: it was a challenge that libcurl has answered, and the next answer begins.
    case superseded
    case violation(String)
  }

  /// The maximum number of bytes in all heads and trailers of a request.
  static let byteLimit = 256 << 10
  /// The maximum number of interim answers (1xx) to a request.
  static let interimLimit = 32
  /// The maximum number of answers that make libcurl send another request; NTLM through a proxy needs four.
  static let challengeLimit = 10

  static let trailerLimit = 32

  /// The first trailers of the final answer (RFC 9110 §6.5). Of the trailers, only digests of the file are kept.
  private(set) var trailers: [HeaderField] = []
  private var head: ResponseHead?
  private var isFinal = false
  private var bytes = 0
  private var interims = 0
  /// Whether libcurl may send another request after the final head, because this head is a challenge or refuses
  /// `Expect`.
  private var mayGoOn = false
  private var challenges = 0

  /// Whether libcurl has answered a challenge, so that credentials were tried.
  var hasBeenMet: Bool { challenges > 0 }

  /// Takes a line, including its end.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
    bytes += line.count
    guard bytes <= HeadParser.byteLimit else { return .violation("its header fields do not end") }
    if isFinal, !mayGoOn { return keepTrailer(line) }
    // libcurl would take such a line as the end of the head, and the following lines as the body.
    guard !HeadParser.endsEarly(line) else { return .violation("a line of its head begins with CR") }
    if let event = takePlainField(line) { return event }
    guard !line.contains(0) else { return .violation("a NUL byte in its header fields") }
    let text = HeadParser.text(line)
    if isFinal { return goOn(text) }
    if head == nil { return begin(text) }
    if text.isEmpty { return complete() }
    return addField(text)
  }

  /// Whether a line begins with CR, like the empty line that ends a head, but is not empty.
  private static func endsEarly(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.first == 0x0D else { return false }
    return line.count > 2 || line.count == 2 && line[1] != 0x0A
  }

  /// Takes a field in the usual form: a name, a colon, and a value in printable ASCII. Returns `nil` for any other
  /// line, which the general rules then handle.
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

  /// A malformed trailer is ignored, because the whole body has already arrived.
  private mutating func keepTrailer(_ line: UnsafeRawBufferPointer) -> Event {
    guard trailers.count < HeadParser.trailerLimit, !line.contains(0) else { return .none }
    let text = HeadParser.text(line)
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex, !text[..<colon].contains(" ") else {
      return .none
    }
    let value = text[text.index(after: colon)...].trimmingSpaces()
    trailers.append(HeaderField(String(text[..<colon]), String(value)))
    return .none
  }

  /// Takes a line after a head that may not be the last: a trailer, or the status line of the next head.
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
      return fold(line.trimmingSpaces())
    }
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return .none }
    // With white space before the colon, some readers see the field and others do not (RFC 9112 §5.1).
    guard line[..<colon].last != " ", line[..<colon].last != "\t" else {
      return .violation("a space before the colon of a header field")
    }
    let value = line[line.index(after: colon)...].trimmingSpaces()
    head?.fields.append(HeaderField(String(line[..<colon].trimmingSpaces()), String(value)))
    return .none
  }

  /// Appends to the value of the last field (obs-fold, RFC 9112 §5.2).
  private mutating func fold(_ more: Substring) -> Event {
    guard let last = head?.fields.indices.last, let field = head?.fields[last], !more.isEmpty else { return .none }
    // libcurl reads the field line by line, and would find another end of the body than this parser.
    if let name = HeadParser.framing.first(where: { $0.lowercased() == field.name.lowercased() }) {
      return .violation("its \(name) is folded")
    }
    head?.fields[last].value = field.value.isEmpty ? String(more) : "\(field.value) \(more)"
    return .none
  }

  /// The fields that determine where a body ends.
  private static let framing = ["Transfer-Encoding", "Content-Length"]

  private mutating func complete() -> Event {
    guard let done = head else { return .none }
    head = nil
    if (100..<200).contains(done.status), done.status != 101 {
      interims += 1
      return interims > HeadParser.interimLimit ? .violation("unbounded interim answers (1xx)") : .none
    }
    if let coding = done.unrequestedCoding { return .violation("its body has the coding \(coding), not requested") }
    isFinal = true
    mayGoOn = [401, 407, 417].contains(done.status)
    return .final(done)
  }

  /// Parses `HTTP/1.1 200 OK` (RFC 9112 §4). libcurl presents HTTP/2 in the same form.
  static func statusLine(_ line: String) -> ResponseHead? {
    let parts = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].starts(with: "HTTP/".utf8), parts[1].count == 3,
      parts[1].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let status = Int(Substring(parts[1])), (100..<600).contains(status)
    else { return nil }
    return ResponseHead(
      version: String(Substring(parts[0].dropFirst(5))), status: status,
      reason: parts.count > 2 ? String(Substring(parts[2])) : "")
  }

  /// Returns a line without its end, decoded as UTF-8, or else as Latin-1. A bare CR becomes a space (RFC 9110 §5.5).
  /// Other control characters become U+FFFD: they must not be printed (P8), and are invalid in any structured field.
  private static func text(_ line: UnsafeRawBufferPointer) -> String {
    var end = line.count
    while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
    if line[..<end].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(decoding: line[..<end], as: UTF8.self) }
    let clean = line[..<end].flatMap { byte -> [UInt8] in
      guard byte < 0x20, byte != 0x09 else { return [byte] }
      return byte == 0x0D ? [0x20] : [0xEF, 0xBF, 0xBD]
    }
    if let text = String(validating: clean, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(clean.map { Unicode.Scalar($0) }))
  }
}
