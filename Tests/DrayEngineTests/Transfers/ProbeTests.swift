// Probes: one head, no file.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct ProbeTests {
  private let version = FaultServer.Version.named("v1", size: 300_000)

  @Test func aHeadIsEnough() async throws {
    try await Site.use(version) { site in
      let result = try await site.engine.probe(try site.request())
      #expect(result.response.head.status == 200)
      #expect(result.response.head.first("content-length") == "300000")
      #expect(!result.usedRange)
      #expect(result.response.connection?.address == "127.0.0.1")
      #expect(site.server.requests.map(\.method) == ["HEAD"])
    }
  }

  @Test(arguments: [403, 404, 405, 501]) func aServerThatRefusesHeadIsAskedForOneByte(_ status: Int) async throws {
    try await Site.use(version, .status(status), .normal) { site in
      let result = try await site.engine.probe(try site.request())
      #expect(result.response.head.status == 206)
      #expect(result.usedRange)
      #expect(site.server.requests.map(\.method) == ["HEAD", "GET"])
      #expect(site.ranges == [nil, "bytes=0-0"])
    }
  }

  @Test func anErrorIsAResult() async throws {
    try await Site.use(version, .status(410)) { site in
      let result = try await site.engine.probe(try site.request())
      #expect(result.response.head.status == 410)
    }
  }

  @Test func redirectsAreFollowedAndTold() async throws {
    try await Site.use(version) { site in
      site.server["/start"] = .init(version, script: [.redirect(to: "/file", status: 301)])
      let result = try await site.engine.probe(try site.request("/start"))
      #expect(result.response.hops?.map(\.head.status) == [301])
      #expect(result.response.finalURL.string == site.server.url("/file"))
      #expect(result.response.head.status == 200)
    }
  }

  @Test(
    arguments: [
      (.redirect(to: "ftp://h/"), Failure.Kind.protocolViolation), (.raw("nonsense\r\n\r\n"), .protocolViolation),
      (.init { $0.headCut = 0 }, .network),
    ] as [(FaultServer.Answer, Failure.Kind)])
  func noHeadIsAFailure(_ answer: FaultServer.Answer, _ kind: Failure.Kind) async throws {
    try await Site.use(version, answer) { site in
      let request = try site.request()
      await #expect {
        try await site.engine.probe(request)
      } throws: {
        ($0 as? Failure)?.kind == kind
      }
    }
  }

  @Test func silenceEnds() async throws {
    try await Site.use(version, .init { $0.latency = 3600 }) { site in
      var request = try site.request()
      (request.connectTimeout, request.stallTimeout) = (0.2, 0.2)
      let silent = request
      await #expect {
        try await site.engine.probe(silent)
      } throws: {
        ($0 as? Failure)?.kind == .network
      }
    }
  }
}
