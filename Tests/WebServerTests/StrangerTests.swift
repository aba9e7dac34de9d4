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
