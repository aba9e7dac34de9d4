// A head that decides, with a body that never ends properly: every kind of request uses the head (H14). Tests/Cases has
// the cases of transfers; the other requests are here.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct DecidedHeadTests {
  /// The fate of the body.
  static let fates: [(name: String, framing: String, body: [FaultServer.Wire], end: FaultServer.WireEnd)] = [
    ("it stalls", "Content-Length: 1000\r\n", [.bytes(Array("half".utf8))], .stay),
    ("nothing comes", "Content-Length: 1000\r\n", [], .stay),
    ("it is long", "Content-Length: 1099511627776\r\n", [], .stay),
    ("it is cut", "Content-Length: 1000\r\n", [.bytes(Array("half".utf8))], .close),
    ("it goes on", "", [.repeated(Array("0123456789abcdef".utf8), times: 10_000_000)], .stay),
    ("its framing breaks", "Transfer-Encoding: chunked\r\n", [.bytes(Array("x\r\n".utf8))], .stay),
  ]

  private static func answer(_ status: String, _ fields: String, _ fate: Int) -> FaultServer.Answer {
    FaultServer.Answer {
      $0.wire = [.bytes(Array("HTTP/1.1 \(status)\r\n\(fields)\(fates[fate].framing)\r\n".utf8))] + fates[fate].body
      $0.wireEnd = fates[fate].end
    }
  }

  private static let redirect = ("302 Found", "Location: /other\r\n")

  @Test("the head decides a document", arguments: fates.indices)
  func document(_ fate: Int) async throws {
    let (status, location) = Self.redirect
    try await Site.use(.named("v1", size: 10), Self.answer(status, location, fate)) { site in
      site.server["/other"] = .init(.named("v2", size: 20))
      let answer = try await site.engine.fetchDocument(try site.request())
      #expect(answer.bytes.count == 20)
      site.server["/file"] = .init(.named("v1", size: 10), script: [Self.answer("404 Not Found", "", fate)])
      let failure = await #expect(throws: Failure.self) { _ = try await site.engine.fetchDocument(try site.request()) }
      #expect(failure?.kind == .status && failure?.httpStatus == 404)
    }
  }

  @Test("the head decides a look", arguments: fates.indices)
  func look(_ fate: Int) async throws {
    let refusal = FaultServer.Answer(405)
    let (status, location) = Self.redirect
    try await Site.use(.named("v1", size: 10), refusal, Self.answer(status, location, fate)) { site in
      site.server["/other"] = .init(.named("v2", size: 20), script: [Self.answer("200 OK", "X: y\r\n", fate)])
      let found = try await site.engine.probe(try site.request())
      #expect(found.usedRange && found.response.head.first("x") == "y")
      #expect(found.response.redirects.count == 1)
    }
  }

  @Test("the head decides one of several connections", arguments: fates.indices)
  func segment(_ fate: Int) async throws {
    let size: Int64 = 4 << 20
    let version = FaultServer.Version.named("v1", size: size)
    let gate = FaultServer.Gate()
    let lead = FaultServer.Answer { $0.holds = [.gate(gate, after: 1 << 20)] }
    let (status, _) = Self.redirect
    try await Site.use(version, lead, Self.answer(status, "Location: /other\r\n", fate), helpful: 2) { site in
      site.server["/other"] = .init(version)
      var plan = try site.plan()
      plan.maxConnections = 2
      let outcome = await site.run(plan, holding: gate) { !site.server.requests("/other").isEmpty }
      #expect(outcome.wholeSize == size && site.difference(version) == nil)
    }
  }

  /// Credentials that were never tried: no message may call them wrong.
  @Test func aChallengeThatDoesNotEndIsNoAnswerToCredentials() async throws {
    let challenge = "WWW-Authenticate: Digest realm=\"x\", nonce=\"y\"\r\n"
    try await Site.use(.named("v1", size: 10), Self.answer("401 Unauthorized", challenge, 0)) { site in
      var request = try site.request()
      request.credentials = Credentials(user: "u", password: "p")
      var options = AuthenticationOptions()
      options.scheme = .digest
      request.authentication = options
      request.stallTimeout = 1
      let failure = await site.run(try site.plan(request)).failure
      #expect(failure?.kind == .network && failure?.recovery == .retry)
      #expect(failure?.reason.contains("401") ?? false)
    }
  }
}
