// The server over real sockets: its answers, and its treatment of hostile clients.

import Glibc
import Posix
import Synchronization
import Testing
import WebTesting

@testable import WebServer

@Suite("the server", .timeLimit(.minutes(3)))
struct ServerTests {
  @Test("requests of a connection are answered in order, also those that were sent ahead")
  func pipelined() async throws {
    let server = try TestServer.telling()
    let bodies = try await server.talk { client in
      client.send(
        "GET /a HTTP/1.1\r\nHost: h\r\n\r\nPOST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"
          + "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
          + "GET /d HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      return [client.answer(), client.answer(), client.answer(), client.answer()].map(\.body) + [client.rest()]
    }
    #expect(bodies == ["GET /a 0\n", "POST /b 2\n", "PUT /c 1\n", "GET /d 0\n", ""])
    await server.server.stop()
  }

  @Test("thousands of requests that are refused at once do not pile up")
  func refusedAhead() async throws {
    let server = try TestServer.telling(settings: { $0.screen = { _ in .text(403, "no") } })
    let count = 5000
    let (statuses, rest) = try await server.talk { client in
      try onOtherThread { client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: count)) }
      let statuses = (0..<count).map { _ in client.answer().status }
      client.endSending()
      return (statuses, client.rest())
    }
    #expect(statuses.allSatisfy { $0 == 403 } && rest == "")
    await server.server.stop()
  }

  @Test("the head of an answer: date, length, the standing fields, no second line out of a value")
  func head() async throws {
    let server = try TestServer(settings: {
      $0.standing = ["X-A": "standing", "X-B": "standing"]
      $0.date = { _ in "Sat, 01 Jan 2000 00:00:00 GMT" }
    }) { request in
      switch request.path {
      case "/none": WebResponse(204)
      default: WebResponse(200, ["X-A": "own", "X-C": "a\r\nSet-Cookie: b\u{0}"], Array("body".utf8))
      }
    }
    let (full, head, none, refused) = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let full = client.answer()
      client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      let head = client.read(upTo: "\r\n\r\n")
      client.send("GET /none HTTP/1.1\r\nHost: h\r\n\r\n")
      let none = client.read(upTo: "\r\n\r\n")
      client.send("nonsense\r\n\r\n")
      return (full, head, none, client.answer())
    }
    #expect(
      full.head.contains("\r\nX-A: own\r\n") && full.head.contains("\r\nX-B: standing\r\n") && full.body == "body")
    #expect(full.head.contains("\r\nX-C: a  Set-Cookie: b \r\n") && full.head.contains(" GMT\r\n"))
    #expect(head.contains("\r\nContent-Length: 4\r\n") && !none.contains("Content-Length"))
    #expect(refused.status == 400 && refused.head.contains("\r\nX-B: standing\r\n"))
    await server.server.stop()
  }

  @Test("HTTP/1.0 is answered, and kept where it asks for that")
  func oldVersion() async throws {
    let server = try TestServer.telling()
    let (first, second, rest) = try await server.talk { client in
      client.send("GET /1 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let first = client.answer()
      client.send("GET /2 HTTP/1.0\r\n\r\n")
      return (first, client.answer(), client.rest())
    }
    #expect(first.head.contains("Connection: keep-alive") && second.head.contains("Connection: close") && rest == "")
    await server.server.stop()
  }

  @Test("no child of the program inherits a client's socket")
  func children() async throws {
    let server = try TestServer.telling()
    let port = server.port
    let flags = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = client.answer()
      // The listening socket and the client's.
      let sockets = (Int32(3)..<4096).filter { System.boundAddress($0)?.port == port }
      return sockets.map { fcntl($0, F_GETFD) & FD_CLOEXEC }
    }
    #expect(flags.count >= 2 && flags.allSatisfy { $0 == FD_CLOEXEC })
    await server.server.stop()
  }

  @Test("a client that speaks TLS is told so at its first byte")
  func otherProtocol() async throws {
    let server = try TestServer.telling()
    let text = try await server.talk { client in
      client.send([22])
      return client.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 400 ") && text.contains("http://"))
    await server.server.stop()
  }

  @Test("a client that has ended its side gets its answers, also to what it sent ahead")
  func halfClosed() async throws {
    let gate = TestGate()
    let server = try TestServer { request in
      if request.path == "/late" { await gate.wait() }
      return .text(200, request.path)
    }
    let text = try await server.talk { client in
      client.send("GET /late HTTP/1.1\r\nHost: h\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\nGET /cut HTTP")
      client.endSending()
      pause(0.1)
      gate.open()
      return client.rest()
    }
    #expect(text.contains("/late\n") && text.hasSuffix("/next\n"))
    await server.server.stop()
  }

  @Test("a request for another protocol is answered in this one, and ends the connection")
  func noUpgrade() async throws {
    let server = try TestServer.telling()
    let text = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n")
      return client.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("Connection: close"))
    await server.server.stop()
  }

  @Test("a client that waits for 100 Continue gets it, or the refusal, before the body")
  func continues() async throws {
    let server = try TestServer.telling(settings: { $0.screen = { $0.path == "/no" ? .text(403, "no") : nil } })
    let (leave, answer, refusal) = try await server.talk { client in
      client.send("POST /yes HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      let leave = client.read(upTo: "\r\n\r\n")
      client.send("abc")
      let answer = client.answer()
      client.send("POST /no HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      return (leave, answer, client.rest())
    }
    #expect(leave == "HTTP/1.1 100 Continue\r\n\r\n" && answer.body == "POST /yes 3\n")
    #expect(refusal.hasPrefix("HTTP/1.1 403 ") && refusal.contains("Connection: close"))
    await server.server.stop()
  }

  @Test("a client that sends on after a refusal still gets it (RFC 9112 §9.6)")
  func refusedBody() async throws {
    let server = try TestServer.telling(limits: { $0.body = 1000 })
    let text = try await server.talk { client in
      client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
      client.send([UInt8](repeating: 0x61, count: 4_000_000))
      return client.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 413 "))
    await server.server.stop()
  }

  @Test("bodies of many clients do not fill the memory")
  func memory() async throws {
    let server = try TestServer.telling(limits: { $0.bodies = 1 << 20 })
    let port = server.port
    let text = try await onThread {
      let first = try TestClient(port: port)
      first.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
      first.send([UInt8](repeating: 0x61, count: 2_000_000))
      return first.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 503 "))
    await server.server.stop()
  }

  @Test(
    "a slow request gets 408; a silent connection is closed",
    arguments: [
      ("GET / HTTP/1.1\r\nHost", "HTTP/1.1 408 "),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab", "HTTP/1.1 408 "),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "HTTP/1.1 408 "), ("", ""),
      ("\r\n\r\n", ""),
    ])
  func slow(_ text: String, _ answer: String) async throws {
    let server = try TestServer.telling(limits: { ($0.patience, $0.idle, $0.farewell) = (0.2, 0.2, 0.2) })
    let got = try await server.talk { client in
      client.send(text)
      return client.rest()
    }
    #expect(answer.isEmpty ? got.isEmpty : got.hasPrefix(answer))
    await server.server.stop()
  }

  @Test("a byte now and then does not keep a head alive")
  func drip() async throws {
    let server = try TestServer.telling(limits: { ($0.patience, $0.farewell) = (0.3, 0.1) })
    let isOver = try await server.talk { client in
      client.send("GET / HTTP/1.1\r\nX: ")
      // Ends when the server has closed: sending fails then.
      while client.send("a") { pause(0.02) }
      return true
    }
    #expect(isOver)
    await server.server.stop()
  }

  @Test("a client that does not read its answer is dropped, and others are served")
  func unread() async throws {
    let incidents = Incidents()
    let server = try TestServer(
      limits: { ($0.patience, $0.stall) = (0.5, 0.5) }, settings: { $0.report = incidents.add }
    ) { WebResponse(200, [:], [UInt8](repeating: 0x61, count: $0.path == "/big" ? 32 << 20 : 1)) }
    let port = server.port
    let (other, count) = try await onThread {
      let deaf = try TestClient(port: port, receiveBuffer: 4096)
      deaf.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      let other = try TestClient(port: port)
      other.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let status = other.answer().status
      incidents.wait { if case .dropped = $0 { true } else { false } }
      return (status, deaf.read(.max).count)
    }
    #expect(other == 200 && count < 32 << 20)
    await server.server.stop()
  }

  @Test("without room an idle client makes room for one with a request; otherwise 503")
  func crowded() async throws {
    let server = try TestServer.telling(limits: { ($0.clients, $0.crowdedPatience) = (3, 3600) })
    let port = server.port
    let (idle, served, refused) = try await onThread {
      let idle = try TestClient(port: port)
      idle.send("GET /idle HTTP/1.1\r\nHost: h\r\n\r\n")
      _ = idle.answer()
      let busy = try (0..<3).map { _ in
        let client = try TestClient(port: port)
        client.send("GET /busy HTTP/1.1\r\nHo")
        return client
      }
      // The third took the place of the idle one.
      let isClosed = idle.rest() == ""
      let refused = try TestClient(port: port)
      let text = refused.rest()
      for client in busy { client.send("st: h\r\n\r\n") }
      return (isClosed, busy.map { $0.answer().status }, text)
    }
    #expect(idle && served == [200, 200, 200] && refused.hasPrefix("HTTP/1.1 503 "))
    await server.server.stop()
  }

  @Test("overdue requests are dropped for new clients")
  func slowCrowd() async throws {
    let server = try TestServer.telling(limits: { ($0.clients, $0.crowdedPatience) = (8, 0) })
    let port = server.port
    let statuses = try await onThread {
      let slow = try (0..<8).map { _ in
        let client = try TestClient(port: port)
        client.send("GET / HTTP/1.1\r\nX")
        return client
      }
      let statuses = try (0..<20).map { _ in
        let client = try TestClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return client.answer().status
      }
      return statuses + [slow.count]
    }
    #expect(statuses == Array(repeating: 200, count: 20) + [8])
    await server.server.stop()
  }

  @Test("a call is completed even if its client vanishes")
  func vanished() async throws {
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    let gate = TestGate()
    let server = try TestServer { request in
      step.yield("began")
      await gate.wait()
      step.yield(Task.isCancelled ? "cancelled" : "ended")
      return WebResponse(200)
    }
    var iterator = steps.makeAsyncIterator()
    _ = try await server.talk { $0.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx") }
    #expect(await iterator.next() == "began")
    gate.open()
    #expect(await iterator.next() == "ended")
    await server.server.stop()
  }

  @Test("stopping answers calls in progress, closes idle connections, and accepts no more")
  func stops() async throws {
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let gate = TestGate()
    let server = try TestServer { _ in
      begin.yield()
      await gate.wait()
      return .text(200, "done")
    }
    let port = server.port
    async let answer = server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      return client.rest()
    }
    for await _ in began { break }
    async let stopped: Void = server.server.stop(grace: 60)
    // After the stop no client can connect, unless another test's server has the port by now.
    _ = try await onThread { waitUntil { (try? TestClient(port: port)) == nil } }
    gate.open()
    let text = try await answer
    await stopped
    #expect(text.hasPrefix("HTTP/1.1 200 ") && text.contains("Connection: close") && text.hasSuffix("done\n"))
    // A second stop does no harm.
    await server.server.stop()
  }

  @Test("stopping does not wait forever; calls in progress continue")
  func stopsAtOnce() async throws {
    let (steps, step) = AsyncStream.makeStream(of: String.self)
    let gate = TestGate()
    let server = try TestServer { _ in
      step.yield("began")
      await gate.wait()
      step.yield("ended")
      return WebResponse(200)
    }
    async let answer = server.talk { client in
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      return client.rest()
    }
    var iterator = steps.makeAsyncIterator()
    #expect(await iterator.next() == "began")
    await server.server.stop(grace: 0)
    #expect(try await answer == "")
    gate.open()
    #expect(await iterator.next() == "ended")
  }

  @Test("small requests and large ones are answered alike, many at a time", arguments: [0, 100_000])
  func many(_ size: Int) async throws {
    let server = try TestServer { request in
      // To other threads and back.
      await Task.yield()
      let count = await Task { request.body.count }.value
      return .text(200, "\(count)")
    }
    let answers = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await server.talk { client in
            (0..<20).map { _ in
              client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
              client.send([UInt8](repeating: 0x61, count: size))
              return client.answer().body
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(answers == Array(repeating: "\(size)\n", count: 160))
    await server.server.stop()
  }
}
