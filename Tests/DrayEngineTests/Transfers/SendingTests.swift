// Requests with bodies against a server that misbehaves: sent byte by byte, resent only where the rules say so, never
// by libcurl on its own (P7, P10).

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct SendingTests {
  private let answer = FaultServer.Version(.fixed("thanks".utf8))

  /// A request with `count` bytes of a pattern.
  func sending(
    _ count: Int, _ site: Site, _ path: String = "/file", method: String = "POST", name: String = "body"
  ) throws -> (TransferRequest, [UInt8]) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try site.directory.write(bytes, to: name)
    var request = try site.request(path)
    request.method = method
    request.body = RequestBody(path: site.directory[name], length: Int64(count), contentType: "x/pattern")
    return (request, bytes)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1 << 20, 3_000_001])
  func everyByteArrives(count: Int) async throws {
    try await Site.use(answer) { site in
      let (request, bytes) = try sending(count, site)
      let transfer = site.engine.start(try site.plan(request), observer: Watcher())
      let outcome = await transfer.outcome()
      #expect(outcome.wholeSize == 6, "\(outcome)")
      let seen = try #require(site.server.requests("/file").first)
      #expect(seen.method == "POST")
      #expect(seen["Content-Length"] == "\(count)")
      #expect(seen["Content-Type"] == "x/pattern")
      #expect(seen.body == bytes)
      #expect(transfer.sent == Int64(count))
      #expect(transfer.wasSent)
    }
  }

  /// The system takes the whole body long before a slow line has sent it. The rest is no stall.
  @Test func aSlowLineIsNoStall() async throws {
    try await Site.use(answer) { site in
      let line = try FaultServer.Link(to: Int(site.server.port), rate: 1 << 20)
      defer { line.stop() }
      var (request, _) = try sending(8 << 20, site)
      request.url = try url("http://127.0.0.1:\(line.port)/file")
      request.stallTimeout = 1
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
    }
  }

  @Test(arguments: ["POST", "PUT", "PATCH"])
  func aLengthIsToldWhereThereIsNothing(method: String) async throws {
    try await Site.use(answer) { site in
      var request = try site.request()
      request.method = method
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
      #expect(site.server.requests("/file").first?["Content-Length"] == "0")
      #expect(site.server.requests("/file").first?.method == method)
    }
  }

  @Test(arguments: [301, 302, 303])
  func aRedirectMakesItAGet(status: Int) async throws {
    try await Site.use(answer) { site in
      site.server["/start"] = .init(answer, script: [.redirect(to: "/file", status: status)])
      let (request, _) = try sending(1000, site, "/start")
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
      let seen = try #require(site.server.requests("/file").first)
      #expect(seen.method == "GET" && seen.body.isEmpty)
      #expect(seen["Content-Length"] == nil && seen["Content-Type"] == nil)
    }
  }

  @Test(arguments: zip([301, 302, 303, 307, 308], [[301], [302], [303], [], []] as [Set<Int>]))
  func itIsSentAgainFromItsStart(status: Int, keeping: Set<Int>) async throws {
    try await Site.use(answer) { site in
      site.server["/start"] = .init(answer, script: [.redirect(to: "/file", status: status)])
      var (request, bytes) = try sending(200_000, site, "/start")
      request.redirects = RedirectOptions()
      request.redirects?.keepsMethodAfter = keeping
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
      let seen = try #require(site.server.requests("/file").first)
      #expect(seen.method == "POST")
      #expect(seen.body == bytes)
      bytes = []
    }
  }

  @Test func anotherOriginGetsTheBodyAndNoSecret() async throws {
    let elsewhere = try FaultServer()
    defer { elsewhere.stop() }
    elsewhere["/end"] = .init(answer)
    try await Site.use(answer) { site in
      site.server["/start"] = .init(answer, script: [.redirect(to: elsewhere.url("/end"), status: 307)])
      var (request, bytes) = try sending(1000, site, "/start")
      request.headers = [HeaderField("X-Own", "secret")]
      request.credentials = Credentials(user: "u", password: "p")
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
      let seen = try #require(elsewhere.requests("/end").first)
      #expect(seen.body == bytes && seen["Content-Type"] == "x/pattern")
      #expect(seen["X-Own"] == nil && seen["Authorization"] == nil)
      bytes = []
    }
  }

  @Test func redirectsCanBeRefused() async throws {
    try await Site.use(answer, .redirect(to: "/end", status: 307)) { site in
      var (request, _) = try sending(10, site)
      request.redirects = RedirectOptions()
      request.redirects?.limit = 0
      let outcome = await site.run(try site.plan(request))
      #expect(outcome.failure?.kind == .protocolViolation)
      #expect(outcome.failure?.httpStatus == 307)
      #expect(site.server.requests("/end").isEmpty)
    }
  }

  @Test func itHasAConnectionOfItsOwn() async throws {
    try await Site.use(answer) { site in
      #expect(await site.run(try site.plan()).wholeSize == 6)
      let (request, _) = try sending(10, site)
      #expect(await site.run(try site.plan(request)).wholeSize == 6)
      #expect(site.server.requests("/file").map(\.connection) == [1, 2], "libcurl repeats what a kept one swallows")
    }
  }

  @Test(arguments: [
    FaultServer.Answer.status(204), .init { $0.body = [] }, .init(201) { $0.body = [] },
    .init {
      $0.body = []
      $0.framing = .chunked(.init())
    },
  ])
  func anAnswerWithoutABodyIsNoFile(answered: FaultServer.Answer) async throws {
    try await Site.use(answer, answered) { site in
      let (request, _) = try sending(10, site, method: "PUT")
      let outcome = await site.run(try site.plan(request))
      guard case .answered = outcome.end else {
        Issue.record("\(outcome)")
        return
      }
      #expect(outcome.response != nil)
    }
  }

  @Test func anAnswerThatEndsEarlyIsNotAskedForAgain() async throws {
    let long = FaultServer.Version.named("v1", size: 300_000)
    try await Site.use(long, .cut(after: 200_000), .normal) { site in
      let (request, _) = try sending(10, site)
      let transfer = site.engine.start(try site.plan(request), observer: Watcher())
      let outcome = await transfer.outcome()
      #expect(outcome.failure?.kind == .network)
      #expect(outcome.wasSent)
      #expect(try transfer.checkpoint() == nil, "nothing of it may be recorded")
      #expect(site.server.requests("/file").count == 1)
    }
  }

  @Test func whatCouldNotBeSentWasNotSent() async throws {
    try await Site.use(answer) { site in
      var (request, _) = try sending(10, site)
      let port = try RefusingPort()
      request.url = try RequestURL.parse(port.url("/file")).url
      let outcome = await site.run(try site.plan(request))
      #expect(outcome.failure?.kind == .network)
      #expect(!outcome.wasSent)
    }
  }

  @Test func aBodyThatIsGoneIsSaid() async throws {
    try await Site.use(answer) { site in
      let (request, _) = try sending(10, site)
      try FileManager.default.removeItem(atPath: site.directory["body"])
      let failure = try #require(await site.run(try site.plan(request)).failure)
      #expect(failure.kind == .file)
      #expect(failure.subject == site.directory["body"])
    }
  }

  @Test func aServerThatWillNotBeAskedFirstGetsItUnasked() async throws {
    try await Site.use(answer, .status(417), .normal) { site in
      let (request, bytes) = try sending(2_000_000, site)
      let outcome = await site.run(try site.plan(request))
      #expect(outcome.wholeSize == 6, "\(outcome)")
      let seen = site.server.requests("/file")
      #expect(seen.last?.body == bytes)
      #expect(seen.last?["Expect"] == nil)
      #expect(seen.count == 2)
    }
  }
}
