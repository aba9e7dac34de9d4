// Input at a server's sockets: requests, frames of WebSockets, and fields that identify the sender.

import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket

@testable import DrayServer
@testable import WebServer

extension FuzzTarget {
  static let requests = FuzzTarget(
    "requests to a server",
    words: [
      "GET / HTTP/1.1\r\n", "POST /x?y HTTP/1.0\r\n", "Host: h\r\n", "\r\n", "\n", "\r", "Content-Length: ", "3", "+",
      "Transfer-Encoding: chunked\r\n", "a\r\n", "0\r\n", "0;x=\"y\"\r\n", "\u{0}", ":", " ", "\t",
      "Expect: 100-continue\r\n",
      "Connection: close\r\n", "http://a/", "*", "%00", "HTTP/2.0",
    ],
    seeds: [
      "GET /a HTTP/1.1\r\nHost: h\r\n\r\nPOST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a\r\nabc\r\n0\r\nT: x\r\n\r\nGET / HTTP/1.0\r\n\r\n",
    ].map { Array($0.utf8) }, rounds: 800
  ) { (bytes: [UInt8]) throws(Violation) in
    let whole = try read(bytes, piece: 1 << 16)
    for piece in [1, 3] {
      try hold(try read(bytes, piece: piece) == whole, "requests do not depend on how their bytes are cut")
    }
  }

  /// The requests in bytes in pieces, as text.
  private static func read(_ bytes: [UInt8], piece: Int) throws(Violation) -> [String] {
    var limits = WebLimits()
    (limits.head, limits.body, limits.fields) = (400, 300, 12)
    let gate = InputGate(limits: limits)
    let assembler = RequestAssembler(limits: limits, gate: gate)
    var isBounded = true
    let (input, error) = read(bytes, piece: piece, [gate, RequestAssembler.parser(limits), assembler]) {
      isBounded = isBounded && gate.held + assembler.held <= limits.head + limits.body + piece
    }
    try hold(isBounded, "what is in memory is bounded")
    for case .request(let head, let body) in input {
      try hold(head.path.hasPrefix("/") || head.path == "*", "the path is one: \(head.path)")
      try hold(body.count <= limits.body, "the body is bounded")
      try hold(head.version == 0 || head.fields.all("Host").count == 1, "there is one host: \(head)")
    }
    return input.map { "\($0)" } + ((error as? WebRefusal).map { ["\($0.status)"] } ?? [])
  }

  /// The input of a connection up to its first error, with its handlers.
  private static func read(
    _ bytes: [UInt8], piece: Int, _ handlers: [any ChannelHandler], after look: () -> Void = {}
  ) -> (input: [ClientInput], error: (any Error)?) {
    let channel = EmbeddedChannel(handlers: handlers)
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    var (input, error): ([ClientInput], (any Error)?) = ([], nil)
    for start in stride(from: 0, to: bytes.count, by: piece) where error == nil {
      do {
        try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(start + piece, bytes.count)]))
      } catch let caught { error = caught }
      while let next = try? channel.readInbound(as: ClientInput.self) { input.append(next) }
      look()
    }
    return (input, error)
  }

  static let frames = FuzzTarget(
    "frames of a WebSocket", words: ["\u{1}", "\u{0}", "\u{2}", "\u{7F}", "a", "é"],
    seeds: [
      [0x81, 0x83, 1, 2, 3, 4, 0x60, 0x60, 0x60],
      [0x01, 0x81, 0, 0, 0, 0, 0x61, 0x89, 0x80, 0, 0, 0, 0, 0x80, 0x80, 0, 0, 0, 0],
      [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8], [0x82, 0xFE, 0, 0x7E, 9, 9, 9, 9] + Array(repeating: 9, count: 126),
      [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1],
    ], rounds: 2000
  ) { (bytes: [UInt8]) throws(Violation) in
    let whole = messages(bytes, piece: 1 << 16)
    for piece in [1, 5] {
      try hold(messages(bytes, piece: piece) == whole, "messages do not depend on how their bytes are cut")
    }
  }

  private static func messages(_ bytes: [UInt8], piece: Int) -> [String] {
    let limits = WebLimits()
    let gate = InputGate(limits: limits)
    gate.cutter = FrameCutter(limits: limits, pending: ByteBuffer())
    let decoder = ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.message))
    let (input, error) = read(bytes, piece: piece, [gate, decoder, FrameAssembler()])
    return input.map { "\($0)" } + ((error as? FrameError).map { ["\($0.code)"] } ?? [])
  }

  static let origins = FuzzTarget(
    "who asks a server",
    words: [
      "http://", "https://", "localhost", ":6800", "evil.example", "[::1]", "@", "/", ".", "null", ":", "127.0.0.1",
      "*",
    ],
    seeds: ["http://localhost:6800", "https://evil.example", "localhost", "[::1]:80"], rounds: 800
  ) { (text: String) throws(Violation) in
    // A host name that contains a foreign name never reaches a loopback address, and a foreign page may not write.
    if text.contains("evil") {
      try hold(!HostRule.allows(text, listenerKind: .loopback, names: []), "a foreign name leads nowhere")
      try hold(
        !OriginRule.allows(["Host": "localhost:6800", "Origin": text], named: []), "a foreign page does not write")
    }
    if let origin = WebOrigin(allowed: text) {
      try hold(
        OriginRule.allows(["Host": "h", "Origin": text], named: [origin]) || text.contains("*"),
        "what is named may write")
    }
  }
}
