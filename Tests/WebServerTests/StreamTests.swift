// Streaming answers: server-sent events, and readers that are slow or leave.

import Posix
import Synchronization
import Testing
import WebTesting

@testable import WebServer

@Suite("streams", .timeLimit(.minutes(3)))
struct StreamTests {
  @Test(
    "events as text (HTML Standard, server-sent events)",
    arguments: [
      ("a", nil, "event: job\ndata: a\n\n"),
      ("a\nb\r\nc\rd", "7", "event: job\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n"),
      ("", nil, "event: job\ndata: \n\n"), ("a\u{2028}b\u{85}c", nil, "event: job\ndata: a\u{2028}b\u{85}c\n\n"),
    ] as [(String, String?, String)])
  func text(_ data: String, _ id: String?, _ text: String) {
    #expect(String(decoding: ServerEvent.bytes("job", data: data, id: id), as: UTF8.self) == text)
  }

  @Test("each event is sent at once, as a chunk, before the connection's next request is answered")
  func events() async throws {
    let gate = TestGate()
    let server = try TestServer { request in
      guard request.path == "/events" else { return .text(200, "after") }
      return .events { stream in
        try? stream.send(ServerEvent.bytes("a", data: "1"))
        await gate.wait()
        try? stream.send(ServerEvent.bytes("b", data: "2"))
      }
    }
    let (head, first, rest, after) = try await server.talk { client in
      client.send("GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
      let head = client.read(upTo: "\r\n\r\n")
      let first = client.read(upTo: "\n\n\r\n")
      gate.open()
      let rest = client.read(upTo: "\r\n0\r\n\r\n")
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      return (head, first, rest, client.answer().body)
    }
    #expect(head.contains("Transfer-Encoding: chunked") && head.contains("text/event-stream"))
    #expect(first == "12\r\nevent: a\ndata: 1\n\n\r\n" && rest == "12\r\nevent: b\ndata: 2\n\n\r\n0\r\n\r\n")
    #expect(after == "after\n")
    await server.server.stop()
  }

  @Test("HTTP/1.0 gets the same without chunks, up to the end of the connection")
  func oldVersion() async throws {
    let server = try TestServer { _ in .events { try? $0.send(Array("x\n\n".utf8)) } }
    let text = try await server.talk { client in
      client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      return client.rest()
    }
    #expect(text.hasSuffix("\r\n\r\nx\n\n") && !text.contains("chunked") && text.contains("Connection: close"))
    await server.server.stop()
  }

  @Test("HEAD gets the head of a stream and starts no stream")
  func headOnly() async throws {
    let server = try TestServer { _ in .events { _ in Issue.record("it was begun") } }
    let text = try await server.talk { client in
      client.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      return client.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("\r\n\r\n"))
    await server.server.stop()
  }

  @Test("a silent stream shows that it is alive")
  func beats() async throws {
    let gate = TestGate()
    let server = try TestServer(limits: { $0.beat = 0.1 }) { _ in .events { _ in await gate.wait() } }
    let text = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = client.read(upTo: "\r\n\r\n")
      return client.read(upTo: "\n\n\r\n") + client.read(upTo: "\n\n\r\n")
    }
    #expect(text == "8\r\n: beat\n\n\r\n8\r\n: beat\n\n\r\n")
    gate.open()
    await server.server.stop(grace: 0)
  }

  @Test("a reader that is too slow is dropped; its program is told at once, the reader when it reads again")
  func slowReader() async throws {
    let (ends, end) = AsyncStream.makeStream(of: WebGone.self)
    let server = try TestServer(limits: { $0.queue = 64 << 10 }) { _ in
      .events { stream in
        let event = ServerEvent.bytes("big", data: String(repeating: "x", count: 10_000))
        // An event that was partly sent is completed.
        try? stream.send(event)
        try? await stream.drained()
        do throws(WebGone) { while true { try stream.send(event) } } catch { end.yield(error) }
      }
    }
    let text = try await server.talk(receiveBuffer: 4096) { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      // The client reads only after it was dropped.
      let gone = try firstElement(ends)
      return "\(gone) " + client.rest()
    }
    #expect(text.hasPrefix("tooSlow HTTP/1.1 200"))
    #expect(text.hasSuffix("event: dropped\ndata: {\"reason\":\"too slow\"}\n\n\r\n0\r\n\r\n"))
    #expect(text.contains("\r\n\r\n2723\r\nevent: big\ndata: xxx") && text.contains("xxx\n\n\r\n"))
    await server.server.stop()
  }

  @Test("a program that sends in pieces waits for its reader and drops no one")
  func drained() async throws {
    let server = try TestServer(limits: { $0.queue = 64 << 10 }) { _ in
      WebResponse(
        200,
        content: .stream { stream in
          let piece = [UInt8](repeating: 0x61, count: 50_000)
          for _ in 0..<100 {
            guard (try? stream.send(piece)) != nil, (try? await stream.drained()) != nil else { return }
          }
        })
    }
    let count = try await server.talk(receiveBuffer: 4096) { client in
      client.send("GET / HTTP/1.0\r\n\r\n")
      return client.rest().split(separator: "\r\n\r\n").last?.utf8.count
    }
    #expect(count == 5_000_000)
    await server.server.stop()
  }

  @Test("when the reader leaves, the program learns it and its task is cancelled")
  func leaves() async throws {
    let (ends, end) = AsyncStream.makeStream(of: String.self)
    let server = try TestServer { _ in
      .events { stream in
        try? stream.send(Array("x\n\n".utf8))
        // Ends by cancellation; otherwise the test would never end.
        try? await Task.sleep(for: .seconds(3600))
        do throws(WebGone) { try stream.send([1]) } catch { end.yield("\(error) \(Task.isCancelled)") }
      }
    }
    try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = client.read(upTo: "x\n\n")
    }
    var iterator = ends.makeAsyncIterator()
    #expect(await iterator.next() == "left true")
    await server.server.stop()
  }

  @Test("stopping ends streams in order")
  func stops() async throws {
    let server = try TestServer { _ in
      .events { stream in
        try? stream.send(Array("x\n\n".utf8))
        try? await Task.sleep(for: .seconds(3600))
      }
    }
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    async let text = server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = client.read(upTo: "x\n\n\r\n")
      begin.yield()
      return client.rest()
    }
    for await _ in began { break }
    await server.server.stop(grace: 60)
    #expect(try await text == "0\r\n\r\n")
  }
}
