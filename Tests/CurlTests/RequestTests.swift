// A handle's options reach the server, and the server's bytes reach the transfer.

import Curl
import FaultServer
import Testing

@Suite struct RequestTests {
  /// A server with a small file at `/file`, and a loop.
  private func serve(
    _ answer: FaultServer.Answer = .normal, _ body: (FaultServer, TransferLoop) async throws -> Void
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    server["/file"] = .init(.named("v1", size: 1000), script: [answer])
    try await TransferLoop.use { try await body(server, $0) }
  }

  @Test func optionsReachTheServer() async throws {
    try await serve { server, loop in
      let script = Script(prepare: { handle, _ throws(CurlError) in
        try handle.set(.method, "PROPFIND")
        try handle.set(.userAgent, "agent/1")
        try handle.set(.referer, "http://from/")
        try handle.set(.cookie, "a=1; b=2")
        try handle.setHeaders(["X-First: gone"])
        // The later list replaces the earlier one.
        try handle.setHeaders(["X-Own: yes", "X-Empty;", "Accept:"])
        try handle.set(.authentication, AuthenticationScheme.basic)
        try handle.set(.userName, "user")
        try handle.set(.password, "pass word")
      })
      let (course, _) = loop.start(server.url("/file?q=1"), script)
      try #require(await course.ended())
      #expect(course.now.ends == [nil])
      let seen = try #require(server.requests("/file").first)
      #expect(seen.method == "PROPFIND")
      #expect(seen.target == "/file?q=1")
      let expected: [String: String?] = [
        "User-Agent": "agent/1", "Referer": "http://from/", "Cookie": "a=1; b=2", "X-Own": "yes", "X-Empty": "",
        "Authorization": "Basic dXNlcjpwYXNzIHdvcmQ=", "Accept": nil, "X-First": nil,
      ]
      for (name, value) in expected { #expect(seen[name] == value, "\(name)") }
    }
  }

  @Test func noBodyIsHead() async throws {
    try await serve { server, loop in
      let script = Script(prepare: { handle, _ throws(CurlError) in try handle.set(.noBody, true) })
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended())
      #expect(server.requests("/file").map(\.method) == ["HEAD"])
      #expect(course.now.body.isEmpty)
      #expect(course.now.headers.contains("Content-Length: 1000\r\n"))
    }
  }

  @Test func redirectsAreHandedOutAndNotFollowed() async throws {
    try await serve(.redirect(to: "/other")) { server, loop in
      let (course, _) = loop.start(server.url("/file"))
      try #require(await course.ended())
      #expect(course.now.ends == [nil])
      #expect(course.now.headers.first == "HTTP/1.1 302 Found\r\n")
      #expect(course.now.headers.contains("Location: /other\r\n"))
      #expect(server.requests.count == 1)
    }
  }

  @Test func headAndTrailersComeLineByLine() async throws {
    let answer = FaultServer.Answer {
      $0.interim = .init(103, headers: ["Link: <a>"])
      $0.headers = ["X-One: 1", "x-two:2"]
      $0.framing = .chunked(.init { $0.trailers = ["X-Trailer: t"] })
    }
    try await serve(answer) { server, loop in
      let (course, _) = loop.start(server.url("/file"))
      try #require(await course.ended())
      let lines = course.now.headers
      #expect(Array(lines.prefix(3)) == ["HTTP/1.1 103 Early Hints\r\n", "Link: <a>\r\n", "\r\n"])
      #expect(lines.dropFirst(3).first == "HTTP/1.1 200 OK\r\n")
      #expect(lines.contains("X-One: 1\r\n"))
      #expect(lines.contains("x-two:2\r\n"))
      #expect(lines.contains("X-Trailer: t\r\n"))
      #expect(lines.allSatisfy { $0.hasSuffix("\r\n") })
      #expect(course.now.body == FaultServer.Version.named("v1", size: 1000).content.allBytes)
    }
  }

  @Test func againPreparesTheSameHandle() async throws {
    try await serve { server, loop in
      let script = Script(
        prepare: { handle, request throws(CurlError) in
          // The second request keeps no option of the first.
          if request == 1 {
            try handle.setHeaders(["X-First: 1"])
            try handle.set(.userAgent, "first")
          }
        },
        finish: { $0 == 1 ? .again : .done })
      let (course, _) = loop.start(server.url("/file"), script)
      try #require(await course.ended(2))
      #expect(course.now.prepared == 2)
      #expect(course.now.ends == [nil, nil])
      let seen = server.requests("/file")
      try #require(seen.count == 2)
      #expect(seen.map { $0["X-First"] } == ["1", nil])
      #expect(seen.map { $0["User-Agent"] } == ["first", nil])
      #expect(seen.map(\.connection) == [1, 1])
    }
  }

  @Test func infoTellsOfTheConnection() async throws {
    try await serve { server, loop in
      let (course, _) = loop.start(server.url("/file"), Script(finish: { $0 == 1 ? .again : .done }))
      try #require(await course.ended(2))
      let infos = course.now.infos
      #expect(infos.map(\.address) == ["127.0.0.1", "127.0.0.1"])
      #expect(infos.map(\.newConnections) == [1, 0])
      let first = try #require(infos.first)
      #expect(first.total >= first.firstByte)
      #expect(first.firstByte > 0)
      #expect(first.tls == 0)
      #expect(first.proxyStatus == 0)
    }
  }
}
