// The events of the API, as a client on a socket reads them.

import DrayCore
import FaultServer
import Foundation
import Testing
import WebServer
import WebTesting

@testable import DrayServer

@Suite("the events of the API on a socket")
struct EventStreamTests {
  /// Runs `body` with a connection that follows the events, and a function for other calls.
  private static func following(
    _ fixture: APIFixture, _ target: String = "/events", _ fields: String = "",
    _ body: @escaping @Sendable (TestClient, (_ line: String, _ body: String) throws -> String) throws -> Void
  ) async throws {
    let server = try TestServer { await fixture.api.answer($0) ?? .text(404, "nothing") }
    let port = server.port
    try await server.talk { client in
      client.send("GET \(APIRoutes.root)\(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
      #expect(client.read(upTo: "\r\n\r\n").contains("text/event-stream"))
      try body(client) { line, body in
        let other = try TestClient(port: port)
        let parts = line.split(separator: " ")
        other.send(
          "\(parts[0]) \(APIRoutes.root)\(parts[1]) HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        return other.answer().body
      }
    }
    await server.server.stop(grace: 1)
  }

  private static func id(_ text: String, _ name: String = "\"id\":") -> String {
    String(text.split(separator: name, maxSplits: 1).last?.prefix { $0.isNumber } ?? "")
  }

  @Test func tellsWhatHappens() async throws {
    try await APIFixture.use { fixture in
      let job = #"{"jobs":[{"url":"http://h/a","paused":true},{"url":"http://h/b","paused":true}]}"#
      try await Self.following(fixture) { client, call in
        // The first write shows that the stream has begun.
        #expect(client.read(upTo: "event: beat").contains("event: counts\ndata: {\"queued\":0"))
        let ids = (try call("POST /jobs", job)).split(separator: "\"id\":").dropFirst().map {
          $0.prefix { $0.isNumber }
        }
        try #require(ids.count == 2)
        let added = client.read(upTo: "event: beat")
        #expect(added.contains("event: job\ndata: {\"id\":\(ids[0]),") && added.contains("{\"id\":\(ids[1]),"))
        #expect(added.contains(#""paused":2"#) && !added.contains("event: order"))
        _ = try call("POST /jobs/move", #"{"ids":[\#(ids[1])],"place":"first"}"#)
        let order = "event: order\ndata: {}\n\n"
        #expect(client.read(upTo: order).hasSuffix(order))
        // A second event within the same second is sent after it.
        _ = try call("POST /jobs/move", #"{"ids":[\#(ids[1])],"place":"last"}"#)
        #expect(client.read(upTo: order).hasSuffix(order))
        _ = try call("PATCH /jobs/\(ids[0])", #"{"priority":7}"#)
        #expect(client.read(upTo: "\"priority\":7").contains("event: job\n"))
        _ = try call("POST /jobs/\(ids[0])/remove", "")
        let removed = "event: removed\ndata: {\"id\":\(ids[0])}\n\n"
        #expect(client.read(upTo: removed).hasSuffix(removed))
      }
    }
  }

  @Test func tellsOfBytesAndOfWhatHadEnded() async throws {
    try await APIFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.named("v1", size: 300_000), script: [.held(by: gate, after: 200_000)])
      let url = fixture.server.url("/f")
      try await fixture.running {
        try await Self.following(fixture) { client, call in
          let id = Self.id(try call("POST /jobs", #"{"jobs":[{"url":"\#(url)"}]}"#))
          let line = "event: progress\ndata: {\"jobs\":[{\"id\":\(id),\"received\":200000,\"size\":300000,"
          #expect(client.read(upTo: line).hasSuffix(line))
          let parts = try call("GET /jobs/\(id)/parts", "")
          #expect(
            parts.hasPrefix(
              #"{"size":300000,"done":[[0,200000]],"fetching":[{"range":[200000,300000],"source":null}]}"#), "\(parts)")
          gate.open()
          let end = client.read(upTo: "\"state\":\"complete\"")
          #expect(end.contains("event: job"))
          _ = client.read(upTo: "event: beat")
          // A complete job is no longer polled, but its removal is noticed.
          _ = try call("POST /jobs/\(id)/remove", "")
          #expect(client.read(upTo: "{\"id\":\(id)}\n\n").contains("event: removed\n"))
        }
      }
    }
  }

  @Test func goesOnFromACursor() async throws {
    try await APIFixture.use { fixture in
      let cursor = try #require(try await fixture.ask("GET", "/jobs").body["cursor"] as? String)
      let ids = try await fixture.add("/a", settings: #","paused":true"#)
      try await Self.following(fixture, "/events?cursor=\(cursor)") { client, _ in
        let line = "event: job\ndata: {\"id\":\(ids[0]),"
        #expect(client.read(upTo: line).hasSuffix(line))
        _ = client.read(upTo: "event: beat\n")
        #expect(client.read(upTo: "\n").hasPrefix("id: "))
      }
      // The browser's last event takes precedence over its first cursor.
      let now = try #require(try await fixture.ask("GET", "/jobs").body["cursor"] as? String)
      try await Self.following(fixture, "/events?cursor=\(cursor)", "Last-Event-ID: \(now)\r\n") { client, _ in
        #expect(!client.read(upTo: "event: beat").contains("event: job"))
      }
    }
  }

  @Test(arguments: ["other-1", "nonsense", "-5", "%00"])
  func startsAnewAfterACursorOfElsewhere(_ cursor: String) async throws {
    try await APIFixture.use { fixture in
      try await Self.following(fixture, "/events?cursor=\(cursor)") { client, _ in
        #expect(client.read(upTo: "event: reset\n").hasSuffix("event: reset\n"))
        #expect(client.read(upTo: "event: beat").contains("data: {}"))
      }
    }
  }
}
