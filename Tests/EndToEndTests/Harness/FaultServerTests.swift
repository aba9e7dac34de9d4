// Tests of the fault server: the other tests rely on it, so it is tested without the program.

import Foundation
import Testing

@testable import FaultServer

@Suite("Fault server")
struct FaultServerTests {
  @Test("content differs by seed and is the same however it is cut")
  func contentIsStable() throws {
    let content = Content.generated(seed: 7, size: 20_000)
    let whole = content.allBytes
    #expect(whole.count == 20_000)
    #expect(content.bytes(in: 4_000..<9_001) == Array(whole[4_000..<9_001]))
    let other = Content.generated(seed: 8, size: 20_000).allBytes
    for page in stride(from: 0, to: 20_000, by: 4_096) {
      #expect(whole[page..<min(page + 64, 20_000)] != other[page..<min(page + 64, 20_000)])
    }
  }

  @Test("one different byte, too few and too many bytes are reported")
  func differencesAreTold() throws {
    let content = Content.generated(seed: 7, size: 3_000_000)
    let path = NSTemporaryDirectory() + "difference-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try content.write(toFileAt: path)
    #expect(content.difference(fromFileAt: path) == nil)
    var bytes = content.allBytes
    bytes[2_500_000] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(content.difference(fromFileAt: path)?.contains("2500000") == true)
    try Data(bytes.prefix(10)).write(to: URL(fileURLWithPath: path))
    #expect(content.difference(fromFileAt: path)?.contains("ends at 10") == true)
    try Data(content.allBytes + [0]).write(to: URL(fileURLWithPath: path))
    #expect(content.difference(fromFileAt: path)?.contains("goes on") == true)
  }

  struct RuleCase: Sendable, CustomTestStringConvertible {
    let fields: [String: String]
    let status: Int
    var range: Range<Int64>?
    var testDescription: String { "\(fields)" }
  }

  static let rules: [RuleCase] = [
    .init(fields: [:], status: 200),
    .init(fields: ["Range": "bytes=0-"], status: 206, range: 0..<100),
    .init(fields: ["Range": "bytes=10-19"], status: 206, range: 10..<20),
    .init(fields: ["Range": "bytes=90-1000"], status: 206, range: 90..<100),
    .init(fields: ["Range": "bytes=-5"], status: 206, range: 95..<100),
    .init(fields: ["Range": "bytes=-500"], status: 206, range: 0..<100),
    .init(fields: ["Range": "bytes=100-"], status: 416),
    .init(fields: ["Range": "bytes=20-10"], status: 200),
    .init(fields: ["Range": "bytes=0-1,3-4"], status: 200),
    .init(fields: ["Range": "lines=0-1"], status: 200),
    .init(fields: ["Range": "bytes=5-", "If-Range": "\"v1\""], status: 206, range: 5..<100),
    .init(fields: ["Range": "bytes=5-", "If-Range": "\"v2\""], status: 200),
    .init(
      fields: ["Range": "bytes=5-", "If-Range": "Mon, 01 Jan 2024 00:00:00 GMT"], status: 206, range: 5..<100),
    .init(fields: ["Range": "bytes=5-", "If-Range": "Mon, 01 Jan 2024 00:00:01 GMT"], status: 200),
    .init(fields: ["Range": "bytes=5-", "If-Match": "\"v1\""], status: 206, range: 5..<100),
    .init(fields: ["Range": "bytes=5-", "If-Match": "\"v2\""], status: 412),
    .init(fields: ["If-None-Match": "\"v0\", W/\"v1\""], status: 304),
    .init(fields: ["If-Modified-Since": "Mon, 01 Jan 2024 00:00:00 GMT"], status: 304),
  ]

  @Test("the fault server follows the rules unless told to break them", arguments: rules)
  func rulesAreKept(_ rule: RuleCase) {
    let version = Version(
      .generated(seed: 1, size: 100), etag: "\"v1\"", lastModified: "Mon, 01 Jan 2024 00:00:00 GMT")
    let fields = rule.fields.map { SeenRequest.Field(name: $0.key, value: $0.value) }
    let request = SeenRequest(method: "GET", target: "/", fields: fields, connection: 1)
    let ruling = Ruling(request, version: version)
    #expect(ruling.status == rule.status)
    #expect(ruling.range == rule.range)
  }

  @Test("curl gets correct answers from the fault server, over one connection")
  func curlAgrees() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 300_000)
      sandbox.server["/a"] = .init(version)
      sandbox.server["/b"] = .init(version, script: [Answer { $0.framing = .chunked(.init()) }])
      let curl = try await sandbox.tool(
        "curl", ["-sS", "-o", "a", sandbox.server.url("/a"), "-o", "b", sandbox.server.url("/b")])
      expect(curl, exits: 0)
      sandbox.expectFiles(["a": version.content, "b": version.content], curl)
      #expect(sandbox.server.connections == 1)
      #expect(sandbox.server.bytesSent("/b") == 300_000)
    }
  }

  @Test("bytes behind a split belong to the connection that asked for them during the answer")
  func split() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      sandbox.server["/a"] = .init(
        .named("v1", size: 300_000), script: [.held(by: gate, after: 100_000), .normal])
      let (curl, url) = (try toolPath("curl"), sandbox.server.url("/a"))
      let whole = try sandbox.launch(curl, ["-sS", "-o", "a", url])
      try await whole.wait(for: "the gate") { gate.arrivals == 1 }
      for range in ["250000-", "200000-299999"] {
        expect(try await sandbox.tool("curl", ["-sS", "-o", "b", "-r", range, url]), exits: 0)
      }
      gate.open()
      expect(try await whole.finish(), exits: 0)
      // A request after the end of an answer does not split it.
      try await waitUntil("the answer's end") { !sandbox.server.requests("/a")[0].isBeingSent }
      expect(try await sandbox.tool("curl", ["-sS", "-o", "b", "-r", "50000-", url]), exits: 0)
      #expect(sandbox.server.requests("/a").map(\.bodySent) == [300_000, 50_000, 100_000, 250_000])
      #expect(sandbox.server.requests("/a").map(\.bodyKept) == [200_000, 50_000, 100_000, 250_000])
      #expect(sandbox.server.bytesKept("/a", after: 1) == 400_000)
    }
  }

  @Test("a gate holds an answer at its byte, and a cut ends it there")
  func gateAndCut() async throws {
    try await Sandbox.use { sandbox in
      let version = Version.named("v1", size: 300_000)
      let gate = Gate()
      sandbox.server["/a"] = .init(
        version, script: [.held(by: gate, after: 100_000), .cut(after: 5, .reset)])
      let curl = try sandbox.launch(try toolPath("curl"), ["-sS", "-o", "a", sandbox.server.url("/a")])
      try await curl.wait(for: "the gate") { gate.arrivals == 1 }
      #expect(sandbox.server.bytesSent("/a") == 100_000)
      #expect(curl.exit == nil)
      gate.open()
      expect(try await curl.finish(), exits: 0)
      sandbox.expectFiles(["a": version.content])
      let reset = try await sandbox.tool("curl", ["-sS", "-o", "b", sandbox.server.url("/a")])
      expect(reset, exits: 56, saying: "reset")
    }
  }
}
