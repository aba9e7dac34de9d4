// Requests out of bytes, however these are cut.

import TestSupport
import Testing
import WebTesting

@testable import WebServer

@Suite("requests in pieces")
struct RequestReaderTests {
  /// Methods, paths and bodies of the requests in pieces of bytes, then the status of a refusal.
  private func read(_ pieces: [[UInt8]], _ limits: WebLimits = WebLimits()) -> (found: [String], refusal: Int?) {
    let reading = Reading.requests(pieces, limits)
    let found = reading.input.compactMap { input -> String? in
      guard case .request(let head, let body) = input else { return nil }
      return "\(head.method) \(head.path) \(String(decoding: body, as: UTF8.self))"
    }
    return (found, reading.refusal)
  }

  private static let three =
    "\r\nGET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello\r\n"
    + "POST /3 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
    + "3;a=\"b\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"

  @Test("the same requests come out, whatever the pieces", arguments: [1, 2, 3, 5, 7, 11, 64, 1000])
  func pieces(_ size: Int) {
    let result = read(Array(Self.three.utf8).cut(size))
    #expect(result.found == ["GET /1 ", "POST /2 hello", "POST /3 abc0123456789"] && result.refusal == nil)
  }

  @Test(
    "chunks that are malformed are refused",
    arguments: [
      ("\r\n", 400), ("g\r\n", 400), ("3\n", 400), ("3 \r\nabc\r\n", 400), ("0x3\r\n", 400), ("-3\r\n", 400),
      ("3\r\nabcd\r\n", 400), ("3\r\nabc\n", 400), ("3\rx", 400), ("3;\n", 400), ("0\r\nA: b\nC", 400),
      ("0\r\n\rx", 400),
      ("0\r\n" + String(repeating: "A: b\r\n", count: 1000), 431),
    ])
  func chunks(_ body: String, _ status: Int) {
    let text = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + body
    #expect(read([Array(text.utf8)]).refusal == status)
    #expect(read(text.utf8.map { [$0] }).refusal == status)
  }

  @Test("many small chunks are no larger than one")
  func sum() {
    var limits = WebLimits()
    limits.body = 10
    let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(read([Array((head + "5\r\nabcde\r\n5\r\nabcde\r\n0\r\n\r\n").utf8)], limits).found.count == 1)
    #expect(read([Array((head + "5\r\nabcde\r\n6\r\nabcdef").utf8)], limits).refusal == 413)
    #expect(read([Array((head + "1000001\r\n" + String(repeating: "a", count: 11)).utf8)], limits).refusal == 413)
  }

  @Test("a head without an end is refused at its limit, before it is all in memory")
  func endless() {
    let head = "GET /" + String(repeating: "a", count: 1 << 20)
    let reading = Reading.requests(Array(head.utf8).cut(1000))
    #expect(reading.refusal == 431 && reading.held <= 17_000)
    let blanks = "GET / HTTP/1.1\r\nHost:" + String(repeating: " ", count: 1 << 20)
    #expect(Reading.requests(Array(blanks.utf8).cut(1000)).refusal == 431)
  }

  @Test("a body may have what the end of a chunked one has")
  func ends() {
    let body = "\n\r\n0\r\n\r\n\n\r\n"
    let text =
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
      + "0\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n"
    for size in [1, 2, 3, 1000] {
      #expect(read(Array(text.utf8).cut(size)).found == ["POST / \(body)", "GET /next "])
    }
  }

  @Test("another protocol is refused at its first byte", arguments: [22, 0x80, 0, 0x20, 0xFF] as [UInt8])
  func otherProtocols(_ first: UInt8) {
    #expect(read([[first]]).refusal == 400)
    let answered = Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8) + [first]
    let result = read([answered])
    #expect(result.found == ["GET / "] && result.refusal == 400)
  }

  @Test("a head that ends with bare line feeds is not waited for")
  func bareLineFeeds() {
    #expect(read([Array("GET / HTTP/1.1\nHost: h\n\n".utf8)]).refusal == 400)
  }

  @Test("any bytes give requests or a refusal")
  func anyBytes() {
    var generator = SplitMix(seed: 17)
    let parts = [
      "GET / HTTP/1.1\r\n", "Host: h\r\n", "\r\n", "Content-Length: ", "3", "\n", "Transfer-Encoding: chunked\r\n",
      "a\r\n",
      "0\r\n", "\u{0}", ":", " ", "POST /x HTTP/1.0\r\n", "\r",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 1...12, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? ""
      }
      let whole = read([Array(text.joined().utf8)])
      let single = read(Array(text.joined().utf8).map { [$0] })
      #expect(whole.found == single.found && whole.refusal == single.refusal, "\(text.joined())")
    }
  }
}
