// Through nginx with the documented configuration: clients, pages, and access.

import FaultServer
import Foundation
import Testing

@Suite("Service behind nginx")
struct ServeProxyTests {
  private static let secret = "correct-horse-battery-staple"
  private static let options = ["--host-name", DocumentedProxy.name, "--trust-proxy"]
  private static let bearer = ["-H", "Authorization: Bearer \(secret)"]

  @Test("calls, a WebSocket and immediate events, through the documented configuration")
  func calls() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 100_000)
      sandbox.server["/f"] = .init(version)
      let service = try await Service.start(in: sandbox, Self.options, secret: Self.secret)
      let proxy = try await DocumentedProxy(to: service)
      expect(try await proxy.curl("/", ["--compressed"]), exits: 0, saying: "<!doctype html>")
      let events = try proxy.following("/api/v1/events", Self.bearer)
      // Before any change: the proxy does not buffer the stream.
      try await events.wait(for: "the first event") { events.output.contains("event: counts") }
      let client = try proxy.asking(origin: proxy.origin)
      try await client.wait(for: "an answer") { client.answers > 0 }
      #expect(client.output.hasPrefix("HTTP/1.1 101 "))
      let call =
        #"{"id":1,"method":"aria2.addUri","params":["token:\#(Self.secret)",["\#(sandbox.server.url("/f"))"]]}"#
      expect(
        try await proxy.curl("/jsonrpc", ["-d", call, "-H", "Origin: \(proxy.origin)"]), exits: 0, saying: "result")
      try await client.wait(for: "the notification") { client.output.contains("aria2.onDownloadComplete") }
      try await events.wait(for: "the end of the job") { events.output.contains(#""state":"complete""#) }
      // Larger than nginx's default limit.
      let lines = String(repeating: #"# nothing\n"#, count: 200_000) + sandbox.server.url("/g") + #"\n  pause=true"#
      let file = try sandbox.write(#"{"list":"\#(lines)"}"#, to: "../streams/list")
      let words = Self.bearer + ["-H", "Content-Type: application/json", "--data-binary", "@\(file)"]
      #expect(try await proxy.status("/api/v1/jobs", words) == "201")
      try await service.stop()
      sandbox.expectFiles(["f": version.content])
    }
  }

  @Test("names, origins and secrets are checked as those of the client, not of the proxy")
  func checks() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, Self.options, secret: Self.secret)
      let proxy = try await DocumentedProxy(to: service)
      #expect(try await proxy.status("/api/v1/jobs") == "401")
      #expect(try await proxy.status("/api/v1/jobs", Self.bearer) == "200")
      #expect(try await proxy.status("/", ["-H", "Host: evil.example"]) == "421")
      #expect(try await proxy.status("/jsonrpc", ["-d", "{}", "-H", "Origin: https://evil.example"]) == "403")
      let foreign = try await proxy.asking(origin: "https://evil.example").finish()
      #expect(foreign.output.hasPrefix("HTTP/1.1 403 "), "\(foreign)")
      let login = ["-i", "-H", "Content-Type: application/json", "-H", "Origin: \(proxy.origin)", "-d"]
      let session = try await proxy.curl("/api/v1/session", login + [#"{"secret":"\#(Self.secret)"}"#])
      let cookie = try #require(
        session.output.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
      for word in ["; Secure", "; HttpOnly", "; SameSite=Strict"] { #expect(cookie.contains(word), "\(cookie)") }
      // A client that guesses is delayed under any given address; the right secret is accepted (P19).
      let guesser = ["--interface", "127.0.0.2"]
      for number in 0..<12 {
        let guess = ["-H", "X-Forwarded-For: 192.0.2.\(number)", "-H", "Authorization: Bearer wrong"]
        _ = try await proxy.status("/api/v1/jobs", guesser + guess)
      }
      #expect(try await proxy.status("/api/v1/jobs", guesser + ["-H", "Authorization: Bearer wrong"]) == "429")
      #expect(try await proxy.status("/api/v1/jobs", guesser + Self.bearer) == "200")
      #expect(try await proxy.status("/api/v1/jobs", Self.bearer) == "200")
      try await service.stop()
    }
  }

  @Test("without a secret requests through the proxy are refused, and local ones are answered")
  func noSecret() async throws {
    try await Sandbox.use { sandbox in
      let service = try await Service.start(in: sandbox, Self.options)
      let proxy = try await DocumentedProxy(to: service)
      #expect(try await proxy.status("/") == "403")
      #expect(try await proxy.status("/jsonrpc", ["-d", #"{"id":1,"method":"aria2.tellActive"}"#]) == "403")
      #expect(try await service.status("/") == "200")
      try await service.stop()
    }
  }
}
