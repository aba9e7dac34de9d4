// Heads, well formed and malformed: the values read from them, and the errors that end a transfer.

import DrayCore
import Testing

@testable import DrayEngine

@Suite struct HeadParserTests {
  /// The last event of the lines.
  private func parse(_ lines: [[UInt8]]) -> HeadParser.Event {
    var parser = HeadParser()
    var event = HeadParser.Event.none
    for line in lines { event = withBytes(line) { parser.take($0) } }
    return event
  }

  private func parse(_ lines: String...) -> HeadParser.Event { parse(lines.map { Array(($0 + "\r\n").utf8) }) }

  private func field(_ line: [UInt8]) -> HeaderField? {
    let event = parse([Array("HTTP/1.1 200 OK\r\n".utf8), line + [13, 10], [13, 10]])
    guard case .final(let head) = event else { return nil }
    return head.fields.first
  }

  @Test func aHeadIsTakenInOrder() {
    let event = parse("HTTP/1.1 200 Very OK", "B: 2", "A: 1", "b:3", "")
    let fields = [HeaderField("B", "2"), HeaderField("A", "1"), HeaderField("b", "3")]
    #expect(event == .final(ResponseHead(version: "1.1", status: 200, reason: "Very OK", fields: fields)))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK", "1.1", 200, "OK"), ("HTTP/1.0 404 Not Found", "1.0", 404, "Not Found"),
    ("HTTP/2 206 ", "2", 206, ""), ("HTTP/2 206", "2", 206, ""), ("HTTP/1.1 599 x", "1.1", 599, "x"),
  ])
  func statusLines(_ line: String, _ version: String, _ status: Int, _ reason: String) {
    #expect(parse(line, "") == .final(ResponseHead(version: version, status: status, reason: reason)))
  }

  /// libcurl takes these lines for the end of the head, and the bytes after them for the body.
  @Test(arguments: ["\rX: a\r\n", "\r\r\n", "\rHTTP/1.1 200 OK\r\n", "\rx"])
  func aLineThatBeginsWithCR(_ line: String) {
    let start = Array("HTTP/1.1 200 OK\r\n".utf8)
    #expect(parse([start, Array(line.utf8)]) == .violation("a line of its head begins with CR"))
    #expect(parse([Array(line.utf8)]) == .violation("a line of its head begins with CR"))
    #expect(parse([start, [0x0D, 0x0A]]) == .final(ResponseHead(status: 200, reason: "OK")))
    #expect(parse([start, [0x0A]]) == .final(ResponseHead(status: 200, reason: "OK")))
  }

  @Test(arguments: [401, 407, 417])
  func libcurlMayGoOnAfterThese(_ status: Int) {
    var parser = HeadParser()
    func take(_ line: String) -> HeadParser.Event { withBytes(Array((line + "\r\n").utf8)) { parser.take($0) } }
    _ = take("HTTP/1.1 \(status) No")
    #expect(take("") == .final(ResponseHead(status: status, reason: "No")))
    #expect(take("X-Trailer: of the first") == .none)
    #expect(take("HTTP/1.1 200 OK") == .superseded)
    #expect(take("A: 1") == .none)
    let fields = [HeaderField("A", "1")]
    #expect(take("") == .final(ResponseHead(status: 200, reason: "OK", fields: fields)))
    // Any lines after the final head are trailers.
    #expect(take("HTTP/1.1 200 OK") == .none)
  }

  @Test func challengesComeToAnEnd() {
    var parser = HeadParser()
    var event = HeadParser.Event.none
    for _ in 0...HeadParser.challengeLimit + 1 {
      if case .violation = event { break }
      for line in ["HTTP/1.1 401 No\r\n", "\r\n"] {
        event = withBytes(Array(line.utf8)) { parser.take($0) }
        if case .violation = event { break }
      }
    }
    #expect(event == .violation("unbounded authentication challenges"))
  }

  @Test(arguments: [
    "", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 x", "HTTP/1.1 600 x",
    "HTTP/1.1 +20 x",
    "HTTP/1.1  200 OK", "HTTP/1.1 20٠ OK", "ICY 200 OK", "200 OK", " HTTP/1.1 200 OK", "HTTP/1.1 2x0 OK",
  ])
  func badStatusLines(_ line: String) {
    guard case .violation(let what) = parse(line) else {
      Issue.record("\(line) was taken")
      return
    }
    #expect(what.hasPrefix("status line"))
  }

  @Test(
    arguments: [
      ("Name: value", HeaderField("Name", "value")), ("Name:value", HeaderField("Name", "value")),
      ("Name: \t value \t", HeaderField("Name", "value")), ("Name:", HeaderField("Name", "")),
      // A blank before the colon: refused (RFC 9112 §5.1).
      ("Name : value", nil), ("Name: a:b", HeaderField("Name", "a:b")),
      ("Name: a\rb\u{1B}c\td", HeaderField("Name", "a b\u{FFFD}c\td")), ("Name: ä €", HeaderField("Name", "ä €")),
      (": value", nil), ("no colon", nil),
    ] as [(String, HeaderField?)])
  func fields(_ line: String, _ expected: HeaderField?) { #expect(field(Array(line.utf8)) == expected) }

  @Test func bytesThatAreNotUTF8AreLatin1() {
    #expect(field(Array("N: f".utf8) + [0xFC, 0x72]) == HeaderField("N", "für"))
  }

  @Test func foldedLinesGoOnWithTheValue() {
    let event = parse(
      "HTTP/1.1 200 OK", " before any field", "A: one", "  two", "\tthree", "B: x", " ", "ETag:", " \"v1\"", "")
    let fields = [HeaderField("A", "one two three"), HeaderField("B", "x"), HeaderField("ETag", "\"v1\"")]
    #expect(event == .final(ResponseHead(version: "1.1", status: 200, reason: "OK", fields: fields)))
  }

  /// libcurl does not see the folded part, so it would store the chunks themselves.
  @Test(arguments: ["Transfer-Encoding:", "transfer-encoding: gzip,", "Content-Length:"])
  func theFramingMayNotBeFolded(_ line: String) {
    let event = parse("HTTP/1.1 200 OK", line, " chunked")
    guard case .violation(let reason) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(reason.hasSuffix("is folded"))
  }

  @Test(arguments: ["HTTP/1.1 200 \0", "Name: a\0b", "\0"])
  func aNULEndsIt(_ line: String) {
    var parser = HeadParser()
    if !line.hasPrefix("HTTP") { _ = withBytes("HTTP/1.1 200 OK\r\n".utf8) { parser.take($0) } }
    guard case .violation(let what) = withBytes((line + "\r\n").utf8, { parser.take($0) }) else {
      Issue.record("it was taken")
      return
    }
    #expect(what.contains("NUL"))
  }

  @Test func interimHeadsAreSkippedUpToALimit() {
    var parser = HeadParser()
    func interim() -> HeadParser.Event {
      _ = withBytes("HTTP/1.1 103 Early Hints\r\n".utf8) { parser.take($0) }
      _ = withBytes("ETag: \"no\"\r\n".utf8) { parser.take($0) }
      return withBytes("\r\n".utf8) { parser.take($0) }
    }
    for _ in 0..<HeadParser.interimLimit { #expect(interim() == .none) }
    var over = parser
    // One more would be too many, a final answer is not.
    _ = withBytes("HTTP/1.1 200 OK\r\n".utf8) { over.take($0) }
    let final = withBytes("\r\n".utf8) { over.take($0) }
    #expect(final == .final(ResponseHead(version: "1.1", status: 200, reason: "OK")))
    guard case .violation = interim() else {
      Issue.record("interim answers have no end")
      return
    }
  }

  @Test func switchingProtocolsIsFinal() {
    guard case .final(let head) = parse("HTTP/1.1 101 Switching Protocols", "") else {
      Issue.record("101 was taken for an interim answer")
      return
    }
    #expect(head.status == 101)
  }

  /// The limit applies to the sum over all heads and trailers of a request.
  @Test(arguments: [false, true]) func headersWithoutEnd(_ areTrailers: Bool) {
    var parser = HeadParser()
    var sum = 0
    func take(_ line: String) -> HeadParser.Event {
      sum += line.utf8.count
      return withBytes(line.utf8) { parser.take($0) }
    }
    _ = take("HTTP/1.1 200 OK\r\n")
    if areTrailers { _ = take("\r\n") }
    let line = "X: " + String(repeating: "x", count: 1000) + "\r\n"
    while sum + line.utf8.count <= HeadParser.byteLimit { #expect(take(line) == .none) }
    guard case .violation = take(line) else {
      Issue.record("\(sum) bytes were taken")
      return
    }
  }

  @Test func trailersChangeNoHead() {
    #expect(parse("HTTP/1.1 200 OK", "", "ETag: \"x\"", "HTTP/1.1 500 No", "") == .none)
  }

  @Test func theFirstTrailersAreKept() {
    var parser = HeadParser()
    func take(_ line: String) { _ = withBytes(Array((line + "\r\n").utf8)) { parser.take($0) } }
    for line in ["HTTP/1.1 200 OK", "A: 1", "", "Repr-Digest: x ", "no colon", ": 2", "a b: 3", "c\0: 4", ""] {
      take(line)
    }
    #expect(parser.trailers == [HeaderField("Repr-Digest", "x")])
    for _ in 0..<100 { take("b: 5") }
    #expect(parser.trailers.count == HeadParser.trailerLimit)
  }
}
