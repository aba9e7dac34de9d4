// Bytes beyond the end of an answer never count as the next answer, whenever they arrive (H13).

import Curl
import FaultServer
import Glibc
import Testing

@Suite struct LeftoverTests {
  private static let first = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst".utf8)
  private static let wrong = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong".utf8)
  private static let right = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nright".utf8)

  /// More bytes arrive after the first answer is complete, while its connection waits for reuse.
  @Test(arguments: [wrong, [0x0A], Array("HTTP/1.1 408 Request Timeout\r\n\r\n".utf8)])
  func whatComesLaterIsNotTheNextAnswer(excess: [UInt8]) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let (mayCome, hasCome) = (FaultServer.Gate(), FaultServer.Gate())
    defer { hasCome.open() }
    server["/a"] = .init(
      .named("a", size: 5),
      script: [
        FaultServer.Answer {
          $0.wire = [.bytes(Self.first), .gate(mayCome), .bytes(excess), .delivered, .gate(hasCome)]
          $0.wireEnd = .stay
        }
      ])
    server["/b"] = .init(.init(.fixed("right".utf8)))
    try await TransferLoop.use { loop in
      let a = loop.start(server.url("/a")).course
      try #require(await a.ended())
      #expect(a.now.body == Array("first".utf8))
      mayCome.open()
      try #require(await hasCome.waitForArrivals(seconds: 60))
      let b = loop.start(server.url("/b")).course
      try #require(await b.ended())
      #expect(b.now.ends == [nil])
      #expect(b.now.body == Array("right".utf8))
      #expect(server.requests.map(\.connection) == [1, 2])
    }
  }

  /// The bytes come after the connection was checked, and before the request has reached the server.
  @Test func whatComesBeforeTheRequestWasReadIsNotItsAnswer() async throws {
    let (asked, server) = (Flag(), try DeafServer([Self.first, Self.wrong], then: Self.right))
    defer { server.stop() }
    try await TransferLoop.use { loop in
      // Larger than the server's socket buffer, so that no part of the next request arrives.
      let long = String(repeating: "a", count: 40_000)
      let prepare: @Sendable (EasyHandle, Int) throws(CurlError) -> Void = { handle, _ throws(CurlError) in
        try handle.setHeaders(["X-Long: \(long)"])
      }
      let a = loop.start(server.url, Script(prepare: prepare)).course
      try #require(await a.ended())
      #expect(a.now.body == Array("first".utf8))
      let b = loop.start(
        server.url,
        Script(
          prepare: prepare,
          willSend: {
            if !asked.isUp { server.mayGoOn.raise() }
            asked.raise()
          })
      ).course
      try #require(await b.ended())
      #expect(b.now.ends == [nil])
      #expect(b.now.body == Array("right".utf8))
      #expect(server.connections == 2)
    }
  }
}
