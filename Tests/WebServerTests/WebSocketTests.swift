// WebSockets over real sockets: messages, pings, and hostile clients.

import Posix
import Testing
import WebTesting

@testable import WebServer

@Suite("WebSockets", .timeLimit(.minutes(3)))
struct WebSocketTests {
  /// A server that sends each message back.
  private func echo(
    limits: (inout WebLimits) -> Void = { _ in }, settings: (inout WebServer.Settings) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(limits: limits, settings: settings) { _ in
      WebResponse(
        101,
        content: .webSocket { socket in
          for await message in socket.messages {
            guard (try? socket.send(message)) != nil, (try? await socket.drained()) != nil else { return }
          }
        })
    }
  }

  @Test("messages come and go, pings are answered, and the close is returned")
  func messages() async throws {
    let server = try echo()
    let (head, kinds, sizes, rest) = try await server.talk { client in
      let head = client.upgrade()
      client.send(frame: 1, Array("one".utf8))
      let one = client.frame()
      client.send(frame: 1, Array("tw".utf8), isFinal: false)
      client.send(frame: 9, Array("ping".utf8))
      let ping = client.frame()
      client.send(frame: 0, Array("o".utf8))
      let two = client.frame()
      let large = [UInt8](repeating: 7, count: 3_000_000)
      try onOtherThread { client.send(frame: 2, large) }
      let third = client.frame()
      client.send(frame: 8, [3, 0xE9])
      let end = client.frame()
      let frames = [one, ping, two, third, end].compactMap { $0 }
      return (head, frames.map(\.kind), frames.map(\.payload.count), client.rest())
    }
    #expect(head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n") && head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(kinds == [1, 10, 1, 2, 8] && sizes == [3, 4, 3, 3_000_000, 2] && rest == "")
    await server.server.stop()
  }

  @Test("a request that is not a WebSocket's gets 426 and the version to use")
  func none() async throws {
    let server = try echo()
    let answer = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      return client.answer()
    }
    #expect(answer.status == 426 && answer.head.contains("Sec-WebSocket-Version: 13"))
    await server.server.stop()
  }

  @Test("frames that were sent ahead of the answer are read")
  func ahead() async throws {
    let server = try echo()
    let frame = try await server.talk { client in
      client.send(
        Array(
          ("GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").utf8) + TestClient.frame(1, Array("early".utf8)))
      _ = client.read(upTo: "\r\n\r\n")
      return client.frame()?.payload
    }
    #expect(frame == Array("early".utf8))
    await server.server.stop()
  }

  @Test(
    "frames that break the rules end it, with the code that says why",
    arguments: [
      ([0x81, 0x01, 0x61], 1002), ([0xC1, 0x80, 0, 0, 0, 0], 1002), (TestClient.frame(1, [0xFF]), 1007),
      ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 1009), (TestClient.frame(0, [1]), 1002),
    ] as [([UInt8], Int)])
  func broken(_ bytes: [UInt8], _ code: Int) async throws {
    let server = try echo()
    let (frame, rest) = try await server.talk { client in
      _ = client.upgrade()
      client.send(bytes)
      let frame = client.frame()
      return (frame, client.rest())
    }
    #expect(frame?.kind == 8 && frame.map { Int($0.payload[0]) << 8 | Int($0.payload[1]) } == code && rest == "")
    await server.server.stop()
  }

  @Test(
    "an incomplete frame and a missing pong have a time limit",
    arguments: [[0x81, 0x85, 1, 2], []] as [[UInt8]])
  func half(_ bytes: [UInt8]) async throws {
    let incidents = Incidents()
    let server = try echo(
      limits: { ($0.patience, $0.beat) = (0.3, 0.1) }, settings: { $0.report = incidents.add })
    let last = try await server.talk { client in
      _ = client.upgrade()
      client.send(bytes)
      var kinds: [UInt8] = []
      while let frame = client.frame() { kinds.append(frame.kind) }
      return kinds
    }
    #expect(last.allSatisfy { $0 == 9 } && last.count <= 1)
    await server.server.stop()
  }

  @Test("the server stops reading from a client that floods without reading: nothing grows")
  func flood() async throws {
    let server = try echo(limits: { ($0.stall, $0.unread) = (0.5, 256 << 10) })
    let sent = try await server.talk(receiveBuffer: 4096) { client in
      _ = client.upgrade()
      let frame = TestClient.frame(2, [UInt8](repeating: 1, count: 64 << 10))
      var count = 0
      // Sending fails when the server drops the client, which does not read.
      while count < 10_000, client.send(frame) { count += 1 }
      return count
    }
    #expect(sent < 1000)
    await server.server.stop()
  }

  @Test("a reader with too much pending is closed with 1013")
  func slowReader() async throws {
    let (ends, end) = AsyncStream.makeStream(of: WebGone.self)
    let server = try TestServer(limits: { $0.queue = 64 << 10 }) { _ in
      WebResponse(
        101,
        content: .webSocket { socket in
          let text = WebMessage.text(String(repeating: "x", count: 10_000))
          try? socket.send(text)
          try? await socket.drained()
          do throws(WebGone) { while true { try socket.send(text) } } catch { end.yield(error) }
        })
    }
    let (gone, kinds, payload) = try await server.talk(receiveBuffer: 4096) { client in
      _ = client.upgrade()
      let gone = try firstElement(ends)
      var (kinds, last): (Set<UInt8>, [UInt8]) = ([], [])
      while let frame = client.frame() {
        kinds.insert(frame.kind)
        last = frame.payload
      }
      return (gone, kinds, last)
    }
    #expect(gone == .tooSlow && kinds == [1, 8] && payload == [3, 0xF5] + Array("too slow".utf8))
    await server.server.stop()
  }

  @Test("when the client leaves, messages end and the task is cancelled")
  func leaves() async throws {
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let server = try TestServer { _ in
      WebResponse(
        101,
        content: .webSocket { socket in
          for await message in socket.messages { end.yield("\(message)") }
          end.yield("cancelled \(Task.isCancelled)")
        })
    }
    try await server.talk { client in
      _ = client.upgrade()
      client.send(frame: 1, Array("x".utf8))
      client.send([0x81, 0x85, 1])
    }
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == "text(\"x\")")
    #expect(await iterator.next() == "cancelled true")
    await server.server.stop()
  }

  @Test("the program closes with a code; stopping says that the server goes away", arguments: [true, false])
  func closes(_ itself: Bool) async throws {
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let server = try TestServer { _ in
      WebResponse(
        101,
        content: .webSocket { socket in
          begin.yield()
          if itself { return socket.close(.policy, "enough") }
          for await _ in socket.messages {}
        })
    }
    async let frame = server.talk { client in
      _ = client.upgrade()
      let frame = client.frame()
      return (frame?.kind, frame?.payload, client.rest())
    }
    for await _ in began { break }
    if !itself { await server.server.stop(grace: 60) }
    let (kind, payload, rest) = try await frame
    #expect(kind == 8 && rest == "")
    #expect(payload == (itself ? [3, 0xF0] + Array("enough".utf8) : [3, 0xE9] + Array("the server stops".utf8)))
    if itself { await server.server.stop() }
  }
}
