// Frames of clients by RFC 6455.

import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import TestSupport
import Testing
import WebTesting

@testable import WebServer

@Suite("frames of a WebSocket")
struct FrameReaderTests {
  private func read(_ bytes: [UInt8], piece: Int = .max, _ limits: WebLimits = WebLimits()) -> Reading {
    Reading.frames(piece == .max ? [bytes] : bytes.cut(piece), limits)
  }

  private static func frame(_ kind: UInt8, _ text: String = "", isFinal: Bool = true) -> [UInt8] {
    TestClient.frame(kind, Array(text.utf8), isFinal: isFinal)
  }

  @Test("messages, cut into frames, with pings in between", arguments: [1, 2, 7, Int.max])
  func messages(_ piece: Int) {
    let bytes =
      Self.frame(1, "one") + Self.frame(1, "tw", isFinal: false) + Self.frame(9, "ping")
      + Self.frame(0, "", isFinal: false)
      + Self.frame(0, "o") + Self.frame(2, "") + Self.frame(0xA) + Self.frame(8, "\u{3}\u{69}bye")
    let result = read(bytes, piece: piece)
    let expected: [ClientInput] = [
      .message(.text("one")), .ping(Array("ping".utf8)), .message(.text("two")), .message(.binary([])), .pong,
      .close(WebCloseCode(rawValue: 0x369)),
    ]
    // 0x369 is 873, which is no code that may be sent.
    #expect(result.input == Array(expected.dropLast()) && result.code == 1002)
  }

  @Test("lengths are written in the shortest form (§5.2)", arguments: [125, 126, 65535, 65536, 200_000])
  func lengths(_ count: Int) {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(read(TestClient.frame(2, payload)).input == [.message(.binary(payload))])
    #expect(read(TestClient.frame(2, payload), piece: 7).input == [.message(.binary(payload))])
  }

  @Test(
    "violations close the connection",
    arguments: [
      // Not masked, reserved bits, unknown opcodes.
      ([0x81, 0x01, 0x61], 1002), ([0xC1, 0x81, 0, 0, 0, 0, 0x61], 1002), ([0x83, 0x80], 1002), ([0x8B, 0x80], 1002),
      // Control frames: too long, cut.
      ([0x89, 0xFE], 1002), ([0x09, 0x80], 1002), ([0x88, 0xFF], 1002),
      // Lengths: a longer form than needed, the highest bit set.
      ([0x82, 0xFE, 0, 5], 1002), ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 1002),
      ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 1002),
      // Too large: known from the header alone.
      ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009),
      ([0x82, 0xFF, 0, 0, 0, 0, 1, 0, 0, 1], 1009),
      // A continuation of nothing.
      ([0x80, 0x80], 1002),
    ] as [([UInt8], UInt16)])
  func broken(_ bytes: [UInt8], _ code: UInt16) {
    #expect(read(bytes).code == code)
    #expect(read(bytes, piece: 1).code == code)
  }

  @Test(
    "close frames (§5.5.1, §7.4)",
    arguments: [
      ([], nil, nil), ([3, 0xE8], 1000, nil), ([3, 0xE8] + Array("bye".utf8), 1000, nil), ([0x0F, 0xA0], 4000, nil),
      ([3], nil, 1002), ([3, 0xED], nil, 1002), ([3, 0xEE], nil, 1002), ([0, 0], nil, 1002), ([0xFF, 0xFF], nil, 1002),
      ([3, 0xE8, 0xFF], nil, 1007),
    ] as [([UInt8], UInt16?, UInt16?)])
  func closes(_ payload: [UInt8], _ code: UInt16?, _ error: UInt16?) {
    let result = read(TestClient.frame(8, payload))
    #expect(result.code == error)
    if error == nil { #expect(result.input == [.close(code.map { WebCloseCode(rawValue: $0) })]) }
  }

  @Test("texts are UTF-8, also across frames; a message ends before the next begins")
  func order() {
    #expect(
      read(TestClient.frame(1, [0xC3], isFinal: false) + TestClient.frame(0, [0xA9])).input == [.message(.text("é"))])
    #expect(read(TestClient.frame(1, [0xC3])).code == 1007)
    #expect(read(TestClient.frame(1, [0xED, 0xA0, 0x80])).code == 1007)
    #expect(read(Self.frame(1, "a", isFinal: false) + Self.frame(1, "b")).code == 1002)
  }

  @Test("limits on the total length and the number of a message's fragments")
  func limits() {
    var limits = WebLimits()
    (limits.message, limits.fragments) = (10, 3)
    #expect(read(Self.frame(2, "01234", isFinal: false) + Self.frame(0, "56789"), limits).code == nil)
    #expect(read(Self.frame(2, "01234", isFinal: false) + Self.frame(0, "567890"), limits).code == 1009)
    let empty = Self.frame(2, "", isFinal: false) + (0..<3).flatMap { _ in Self.frame(0, "", isFinal: false) }
    #expect(read(empty, limits).code == 1008)
  }

  @Test("the close frame of a server fits, whatever the reason")
  func reasons() {
    let frame = WebSocketFrame.close(.policy, String(repeating: "ü", count: 100))
    #expect(frame.data.readableBytes == 2 + 122)
    #expect(String(validating: frame.data.readableBytesView.dropFirst(2), as: UTF8.self) != nil)
  }

  @Test("any bytes give frames or an error, and the same in pieces")
  func anyBytes() {
    var generator = SplitMix(seed: 6455)
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let kinds: [UInt8] = [0, 1, 2, 8, 9, 10, 3]
        let kind = kinds.randomElement(using: &generator) ?? 0
        let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
          UInt8.random(in: .min ... .max, using: &generator)
        }
        bytes += TestClient.frame(kind, text, isFinal: .random(using: &generator))
      }
      if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
      let (whole, single) = (read(bytes), read(bytes, piece: 1))
      #expect(whole.input == single.input && whole.code == single.code, "\(bytes)")
    }
  }
}

@Suite("the handshake of a WebSocket")
struct WebSocketHandshakeTests {
  private func head(_ line: String, _ fields: String) throws -> RequestHead {
    let reading = Reading.requests([Array("\(line)\r\nHost: h\r\n\(fields)\r\n".utf8)])
    switch reading.input.first {
    case .head(let head), .request(let head, _): return head
    default: throw reading.error ?? WebRefusal(0, "no head")
    }
  }

  private static let upgrade = "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
  private static let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
  private static let version = "Sec-WebSocket-Version: 13\r\n"

  @Test("the example of the standard (§1.3)")
  func example() throws {
    let head = try head("GET /chat HTTP/1.1", Self.upgrade + Self.key + Self.version)
    let channel = EmbeddedChannel()
    let fields = try WebSocketHandshake(head).fields(channel).wait()
    #expect(fields["Sec-WebSocket-Accept"] == ["s3pPLMBiTxaQ9kYGzzhZRbK+xOo="])
    _ = try channel.finish()
  }

  @Test(
    "other requests are refused",
    arguments: [
      ("GET / HTTP/1.1", "", 426), ("GET / HTTP/1.1", "Upgrade: websocket\r\n" + key + version, 426),
      ("GET / HTTP/1.1", upgrade + key, 426), ("GET / HTTP/1.1", upgrade + key + "Sec-WebSocket-Version: 8\r\n", 426),
      ("GET / HTTP/1.1", upgrade + version, 400),
      ("GET / HTTP/1.1", upgrade + version + "Sec-WebSocket-Key: abc\r\n", 400),
      ("GET / HTTP/1.1", upgrade + version + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZR==\r\n", 400),
      ("GET / HTTP/1.1", upgrade + version + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j_Q==\r\n", 400),
      ("GET / HTTP/1.1", upgrade + version + key + key, 400), ("POST / HTTP/1.1", upgrade + version + key, 400),
      ("GET / HTTP/1.0", upgrade + version + key, 400),
      ("GET / HTTP/1.1", upgrade + version + key + "Content-Length: 5\r\n", 400),
    ])
  func refused(_ line: String, _ fields: String, _ status: Int) throws {
    let head = try head(line, fields)
    #expect { _ = try WebSocketHandshake(head) } throws: { ($0 as? WebRefusal)?.status == status }
  }
}
