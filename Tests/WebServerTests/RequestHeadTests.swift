// Heads of requests by RFC 9112: accepted and refused ones.

import Testing
import WebTesting

@testable import WebServer

@Suite("heads of requests")
struct RequestHeadTests {
  private func read(_ text: String, _ limits: WebLimits = WebLimits()) throws -> RequestHead {
    let reading = Reading.requests([Array((text + "\r\n").utf8)], limits)
    if let error = reading.error { throw error }
    switch reading.input.first {
    case .head(let head), .request(let head, _): return head
    default: throw WebRefusal(0, "no head")
    }
  }

  @Test("valid heads are read")
  func read() throws {
    let head = try read("GET /a/b?c=d%20&e HTTP/1.1\r\nHost: h:1\r\nAccept:  x,y \t\r\naccept: z\r\nEmpty:\r\n")
    #expect(head.method == "GET" && head.path == "/a/b" && head.query == "c=d%20&e" && head.version == 1)
    #expect(head.fields.all("ACCEPT") == ["x,y", "z"] && head.fields["Empty"] == "" && head.framing == .none)
    #expect(head.keepsAlive && !head.expectsContinue)
  }

  @Test(
    "the target's forms (§3.2)",
    arguments: [
      ("GET / HTTP/1.1", "/", nil, "h"), ("GET /? HTTP/1.1", "/", "", "h"), ("OPTIONS * HTTP/1.1", "*", nil, "h"),
      ("GET http://other:8/x?y HTTP/1.1", "/x", "y", "other:8"), ("GET HTTPS://other HTTP/1.1", "/", nil, "other"),
      ("GET http://other?q HTTP/1.1", "/", "q", "other"), ("GET //x/y HTTP/1.1", "//x/y", nil, "h"),
    ] as [(String, String, String?, String)])
  func targets(_ line: String, _ path: String, _ query: String?, _ host: String) throws {
    let head = try read("\(line)\r\nHost: h\r\n")
    #expect(head.path == path && head.query == query && head.fields.all("Host") == [host])
  }

  @Test(
    "whether the connection is kept (§9.3)",
    arguments: [
      ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: x, Close\r\n", false),
      ("1.0", "", false), ("1.0", "Connection: Keep-Alive\r\n", true),
    ])
  func keeping(_ version: String, _ fields: String, _ keeps: Bool) throws {
    #expect(try read("GET / HTTP/\(version)\r\nHost: h\r\n\(fields)").keepsAlive == keeps)
  }

  @Test("HTTP/1.0 may leave out the host")
  func oldVersion() throws {
    #expect(try read("GET / HTTP/1.0\r\n").fields["Host"] == nil)
  }

  @Test("a request for another protocol ends the connection, because the parser stops there")
  func otherProtocol() throws {
    #expect(try !read("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n").keepsAlive)
  }

  @Test(
    "ambiguous requests are refused",
    arguments: [
      ("GET /\r\nHost: h\r\n", 400), ("GET  / HTTP/1.1\r\nHost: h\r\n", 400),
      (" GET / HTTP/1.1\r\nHost: h\r\n", 400), ("GET / HTTP/1.1 \r\nHost: h\r\n", 400),
      ("GET / http/1.1\r\nHost: h\r\n", 400), ("GET / RTSP/1.0\r\nHost: h\r\n", 400),
      ("GET / HTTP/2.0\r\nHost: h\r\n", 505), ("PRI * HTTP/2.0\r\n", 505),
      ("GET / HTTP/1.10\r\nHost: h\r\n", 505), ("G(T / HTTP/1.1\r\nHost: h\r\n", 400),
      ("GET x HTTP/1.1\r\nHost: h\r\n", 400), ("GET * HTTP/1.1\r\nHost: h\r\n", 400),
      ("GET /a#b HTTP/1.1\r\nHost: h\r\n", 400), ("GET /ü HTTP/1.1\r\nHost: h\r\n", 400),
      ("CONNECT h:1 HTTP/1.1\r\nHost: h\r\n", 400), ("GET ftp://h/ HTTP/1.1\r\nHost: h\r\n", 400),
      ("GET http://u@h/ HTTP/1.1\r\nHost: h\r\n", 400), ("GET http:/// HTTP/1.1\r\nHost: h\r\n", 400),
      // Lines end with CR LF (§2.2).
      ("GET / HTTP/1.1\nHost: h\n", 400), ("GET / HTTP/1.1\r\nHost: h\nA: b\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nA: b\rC: d\r\n", 400),
      // One host (§3.2).
      ("GET / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a, b\r\n", 400), ("GET / HTTP/1.1\r\nHost: a b\r\n", 400),
      // Names and values (§5).
      ("GET / HTTP/1.1\r\nHost : h\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\n folded\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nA\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\n: x\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: h\r\nA: b\u{0}c\r\n", 400), ("GET / HTTP/1.1\r\nHost: h\r\nA: \u{1B}[2J\r\n", 400),
      // The length of the body (§6).
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16777217\r\n", 413),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n", 501),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n", 501),
      ("POST / HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n", 400),
      ("POST / HTTP/1.1\r\nHost: h\r\nExpect: 200-ok\r\n", 417),
    ])
  func refused(_ text: String, _ status: Int) {
    #expect { _ = try read(text) } throws: { ($0 as? WebRefusal)?.status == status }
  }

  @Test("each limit has its own answer")
  func limits() {
    var limits = WebLimits()
    (limits.target, limits.fields) = (10, 2)
    #expect { _ = try read("GET /0123456789 HTTP/1.1\r\nHost: h\r\n", limits) } throws: {
      ($0 as? WebRefusal)?.status == 414
    }
    #expect { _ = try read("GET / HTTP/1.1\r\nHost: h\r\nA: b\r\nC: d\r\n", limits) } throws: {
      ($0 as? WebRefusal)?.status == 431
    }
  }
}
