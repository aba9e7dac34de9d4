// Unauthenticated clients make room, and answers are delayed.

import Posix
import Synchronization
import Testing
import WebTesting

@testable import WebServer

@Suite("strangers", .timeLimit(.minutes(3)))
struct StrangerTests {
  /// A server where `/known` is the secret, with room for three, that keeps WebSockets and streams open.
  private func server() throws -> TestServer {
    try TestServer(limits: { ($0.clients, $0.crowdedPatience) = (3, 3600) }, settings: { $0.evictsStrangers = true }) {
      request in
      if request.path == "/known" { request.standing.prove() }
      if request.fields["Upgrade"] != nil {
        return WebResponse(101, content: .webSocket { socket in for await _ in socket.messages {} })
      }
      return .text(200, "here")
    }
  }

  @Test("a WebSocket, a request that does not end and a silent connection make room, the oldest first")
  func evicted() async throws {
    let server = try server()
    let port = server.port
    let (statuses, isClosed) = try await onThread {
      let socket = try TestClient(port: port)
      _ = socket.upgrade()
      let slow = try TestClient(port: port)
      slow.send("GET / HTTP/1.1\r\nHo")
      let silent = try TestClient(port: port)
      let statuses = try (0..<3).map { _ in
        let client = try TestClient(port: port)
        client.send("GET /known HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        defer { _ = client.rest() }
        return client.answer().status
      }
      return withExtendedLifetime((slow, silent)) { (statuses, socket.rest() == "") }
    }
    #expect(statuses == [200, 200, 200] && isClosed)
    await server.server.stop()
  }

  @Test("clients with the secret stay; if all are busy, the next gets 503")
  func kept() async throws {
    let server = try server()
    let port = server.port
    let (statuses, refused) = try await onThread {
      let known = try (0..<3).map { _ in
        let client = try TestClient(port: port)
        _ = client.upgrade("/known")
        return client
      }
      let refused = try TestClient(port: port)
      let text = refused.rest()
      // They still get answers: a pong for a ping.
      for client in known { client.send(frame: 0x9) }
      return (known.map { $0.frame()?.kind }, text)
    }
    #expect(statuses == [0xA, 0xA, 0xA] && refused.hasPrefix("HTTP/1.1 503 "))
    await server.server.stop()
  }

  /// A server whose clients prove themselves by `/known`, or by a body that begins with `s`.
  private func guarded(_ limits: @escaping (inout WebLimits) -> Void = { _ in }) throws -> TestServer {
    try TestServer(
      limits: limits,
      settings: { settings in
        settings.evictsStrangers = true
        settings.screen = { request in
          if request.path == "/known" { request.standing.prove() }
          return nil
        }
        settings.vouches = { request in
          if request.body.first == UInt8(ascii: "s") { request.standing.prove() }
          return request.body.first == UInt8(ascii: "s")
        }
      }
    ) { request in
      guard request.fields["Upgrade"] != nil else { return .text(200, "\(request.body.count)") }
      return WebResponse(
        101,
        content: .webSocket { socket in
          for await message in socket.messages { try? socket.send(.text("\(message.size)")) }
        })
    }
  }

  @Test(
    "a stranger's body is short, unless its beginning shows that its sender is none",
    arguments: [
      ("/", "a", 65_536, 200), ("/", "a", 65_537, 413), ("/", "a", 4_000_000, 413), ("/", "s", 1_000_000, 200),
      ("/known", "a", 1_000_000, 200),
    ])
  func bodies(path: String, first: String, count: Int, status: Int) async throws {
    let server = try guarded()
    let answer = try await server.talk { client in
      let body = first + String(repeating: "b", count: count - 1)
      try onOtherThread {
        client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(count)\r\n\r\n\(body)")
      }
      return client.answer()
    }
    #expect(answer.status == status && (status == 413 || answer.body == "\(count)\n"))
    await server.server.stop()
  }

  @Test("what a stranger sends and promises gives it no more time")
  func times() async throws {
    let server = try guarded { ($0.patience, $0.strangerPatience, $0.slowest) = (60, 0.2, 1) }
    let text = try await server.talk { client in
      client.send(
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16000000\r\n\r\n" + String(repeating: "b", count: 60_000))
      return client.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 408 "))
    await server.server.stop()
  }

  @Test(
    "a stranger's message of a WebSocket is short; that of a known client is not",
    arguments: [("/", false), ("/known", true)])
  func messages(path: String, isKnown: Bool) async throws {
    let server = try guarded()
    let kinds = try await server.talk { client in
      _ = client.upgrade(path)
      client.send(frame: 2, [UInt8](repeating: 7, count: 65_536))
      let first = client.frame()
      try onOtherThread { client.send(frame: 2, [UInt8](repeating: 7, count: 100_000)) }
      return [first?.kind, client.frame()?.kind]
    }
    #expect(kinds == [1, isKnown ? 1 : 8])
    await server.server.stop()
  }

  @Test("half messages of known clients are counted, and take nothing from strangers")
  func budgets() async throws {
    let server = try guarded { $0.bodies = 1 << 20 }
    let port = server.port
    let (kind, status) = try await onThread {
      let known = try TestClient(port: port)
      _ = known.upgrade("/known")
      // Three of four million bytes: the decoder keeps them.
      let half = Array(TestClient.frame(2, [UInt8](repeating: 7, count: 4_000_000)).prefix(3_000_000))
      try onOtherThread { known.send(half) }
      let end = known.frame()
      let stranger = try TestClient(port: port)
      stranger.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab")
      return (end?.kind, stranger.answer().status)
    }
    #expect(kind == 8 && status == 200)
    await server.server.stop()
  }

  @Test("a delayed answer does not delay other clients")
  func delayed() async throws {
    let server = try TestServer { request in
      var response = WebResponse.text(200, "here")
      if request.path == "/late" { response.delay = 0.5 }
      return response
    }
    let port = server.port
    let (first, second, passed) = try await onThread {
      let (late, other) = (try TestClient(port: port), try TestClient(port: port))
      let began = System.now
      late.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n")
      other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let first = other.answer().status
      let early = System.now - began
      let second = [late.answer().status, late.answer().status]
      return (first, second, (early, System.now - began))
    }
    #expect(first == 200 && second == [200, 200] && passed.1 >= 0.5 && passed.1 > passed.0)
    await server.server.stop()
  }
}
