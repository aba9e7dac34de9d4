// `/metrics` and `/health`: their answers, their access rules, and a real socket.

import DrayKit
import DrayStore
import Foundation
import Testing
import WebServer
import WebTesting

@testable import DrayServer

@Suite struct MetricsTests {
  private func use(_ body: (DownloadManager) async throws -> Void) async throws {
    let root = NSTemporaryDirectory() + "dray-metrics-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: root) }
    let manager = try await DownloadManager.open(Configuration(home: StateDirectory(path: root)))
    try await body(manager)
    manager.close()
  }

  private func text(_ response: WebResponse?) -> String? {
    guard case .bytes(let body)? = response?.content else { return nil }
    return String(decoding: body, as: UTF8.self)
  }

  @Test("the two paths, their methods, and a run that waits for its store")
  func room() async throws {
    try await use { manager in
      let room = MetricsRoute(manager) { nil }
      let health = await room.answer(WebRequest(path: "/health"))
      #expect(health?.status == 200 && text(health) == "ok\n")
      let metrics = await room.answer(WebRequest(path: "/metrics"))
      #expect(metrics?.status == 200 && metrics?.fields["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
      #expect(text(metrics)?.contains("dray_jobs{state=\"queued\"} 0\n") == true)
      #expect(await room.answer(WebRequest(method: "POST", path: "/metrics"))?.status == 405)
      #expect(await room.answer(WebRequest(path: "/metrics/")) == nil)
      var suspended = RunMetrics()
      suspended.isSuspended = true
      let away = MetricsRoute(manager) { [suspended] in suspended }
      #expect(await away.answer(WebRequest(path: "/health"))?.status == 503)
    }
  }

  @Test("a server of its own answers by names of this machine only")
  func server() async throws {
    try await use { manager in
      let server = try MetricsServer("127.0.0.1:0", names: ["Node"], manager) { RunMetrics() }
      let address = try #require(server.addresses.first)
      let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
      func status(_ path: String, host: String) async throws -> Int {
        try await onThread {
          let client = try TestClient(port: port)
          client.send("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
          return client.answer().status
        }
      }
      #expect(try await status("/health", host: "127.0.0.1:\(port)") == 200)
      #expect(try await status("/metrics", host: "node") == 200)
      #expect(try await status("/api/v1/jobs", host: "localhost") == 404)
      #expect(try await status("/metrics", host: "evil.example") == 421)
      await server.stop()
    }
  }

  @Test("addresses that cannot be listened at", arguments: ["", "x", "h:99999"])
  func addresses(_ text: String) { #expect(throws: Failure.self) { try MetricsServer.check(text) } }
}
