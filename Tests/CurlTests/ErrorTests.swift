// Each failure carries libcurl's code and the category that callers act on.

import Curl
import FaultServer
import Foundation
import Testing

@Suite struct ErrorTests {
  /// The error that a GET of `url` ends with.
  private func failure(of url: String, _ script: Script = Script()) async throws -> CurlError {
    var found: CurlError?
    try await TransferLoop.use { loop in
      let (course, _) = loop.start(url, script)
      try #require(await course.ended())
      found = course.now.ends.first ?? nil
    }
    return try #require(found)
  }

  @Test func aRefusedConnection() async throws {
    let port = try RefusingPort()
    let error = try await failure(of: "http://127.0.0.1:\(port.number)/")
    #expect(error.code == .couldNotConnect)
    #expect(error.code.category == .network)
    // The specific text with the system's reason, not only the code's own text.
    #expect(error.message.contains("\(port.number)"))
    #expect(error.message.hasSuffix(": Connection refused"))
  }

  @Test func aRefusedConnectionHasTheSystemsError() async throws {
    let port = try RefusingPort()
    try await TransferLoop.use { loop in
      let (course, _) = loop.start("http://127.0.0.1:\(port.number)/", Script())
      try #require(await course.ended())
      #expect(course.now.infos.first?.systemError == ECONNREFUSED)
    }
  }

  @Test func anUnknownHost() async throws {
    let error = try await failure(of: "http://nonexistent.invalid/")
    #expect(error.code == .hostNotFound)
    #expect(error.code.category == .network)
    #expect(error.message.contains("nonexistent.invalid"))
  }

  @Test func anUnknownProxy() async throws {
    let script = Script(prepare: { handle, _ throws(CurlError) in
      try handle.set(.proxy, "http://nonexistent.invalid:3128")
    })
    let error = try await failure(of: "http://127.0.0.1:9/", script)
    #expect(error.code == .proxyNotFound)
    #expect(error.code.category == .network)
  }

  @Test(arguments: [
    ("", CurlError.Code.Category.usage), ("gopher-x://h/", .usage), ("http://", .usage),
  ])
  func aURLThatCannotBe(_ url: String, _ category: CurlError.Code.Category) async throws {
    #expect(try await failure(of: url).code.category == category)
  }

  @Test func aSchemeThatIsNotAllowed() async throws {
    let script = Script(prepare: { handle, _ throws(CurlError) in try handle.set(.protocols, "http,https") })
    let error = try await failure(of: "file:///etc/hostname", script)
    #expect(error.code == .unsupportedProtocol)
    #expect(error.code.category == .usage)
  }

  @Test func anErrorInPrepareEndsTheTransfer() async throws {
    let own = CurlError(.init(rawValue: 43), "my own")
    let script = Script(prepare: { _, _ throws(CurlError) in throw own })
    #expect(try await failure(of: "http://127.0.0.1:9/", script) == own)
  }

  @Test(arguments: [
    ("/cut", CurlError.Code.partialFile, CurlError.Code.Category.network),
    ("/reset", .receiveError, .network),
    ("/empty", .gotNothing, .network),
    ("/plain", .unsupportedProtocol, .usage),
    ("/chunks", .receiveError, .network),
  ])
  func answersThatGoWrong(
    _ path: String, _ code: CurlError.Code, _ category: CurlError.Code.Category
  ) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let version = FaultServer.Version.named("v1", size: 100_000)
    server["/cut"] = .init(version, script: [.cut(after: 500)])
    server["/reset"] = .init(version, script: [.cut(after: 500, .reset)])
    server["/empty"] = .init(version, script: [.init { $0.headCut = 0 }])
    server["/plain"] = .init(version, script: [.raw("", body: Array("no status line".utf8))])
    server["/chunks"] = .init(
      version, script: [.init { $0.framing = .chunked(.init { $0.badSize = (index: 1, text: "zz") }) }])
    let error = try await failure(of: server.url(path))
    #expect(error.code == code)
    #expect(error.code.category == category)
    #expect(!error.message.isEmpty)
  }

  /// Codes by number, as libcurl-errors(3) has them.
  @Test(
    arguments: [
      (1, CurlError.Code.Category.usage), (3, .usage), (5, .network), (6, .network), (7, .network),
      (8, .protocolViolation),
      (18, .network), (23, .callback), (27, .other), (28, .network), (35, .tls), (42, .callback), (52, .network),
      (56, .network), (60, .tls), (61, .protocolViolation), (77, .tls), (92, .network), (9999, .other),
    ] as [(UInt32, CurlError.Code.Category)])
  func categories(_ number: UInt32, _ category: CurlError.Code.Category) {
    #expect(CurlError.Code(rawValue: number).category == category)
  }

  @Test func theVersionIsTold() {
    let parts = LibCurl.version.split(separator: ".")
    #expect(parts.count == 3)
    #expect(parts.first.flatMap { Int($0) } ?? 0 >= 7)
  }
}
