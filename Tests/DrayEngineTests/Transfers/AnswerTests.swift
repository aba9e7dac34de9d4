// Answers that bring no file: nothing is written, and the failure describes the answer.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct AnswerTests {
  private func failure(_ answer: FaultServer.Answer, _ change: (inout TransferRequest) -> Void = { _ in }) async throws
    -> Failure
  {
    var found: Failure?
    try await Site.use(.named("v1", size: 300_000), answer) { site in
      var request = try site.request()
      change(&request)
      found = await site.run(try site.plan(request)).failure
      #expect(try site.directory.names.isEmpty)
    }
    return try #require(found)
  }

  @Test(arguments: [
    (404, Failure.Kind.status, Failure.Recovery.keep), (503, .status, .retry), (401, .authentication, .keep),
    (204, .protocolViolation, .keep), (304, .protocolViolation, .keep),
  ])
  func statuses(_ status: Int, _ kind: Failure.Kind, _ recovery: Failure.Recovery) async throws {
    let found = try await failure(.status(status))
    #expect(found.kind == kind)
    #expect(found.httpStatus == status)
    #expect(found.recovery == recovery)
    #expect(found.advice != nil)
  }

  @Test func retryAfterIsTold() async throws {
    #expect(try await failure(.status(429, headers: ["Retry-After: 7"])).retryAfter == 7)
  }

  @Test(arguments: [
    FaultServer.Answer { $0.interim = .init(100, count: 20_000) },
    .init { $0.headers = (0..<400).map { "X-\($0): " + String(repeating: "x", count: 1000) } },
    .raw("HTTP/1.1 200 OK\r\nA: b\0c\r\nContent-Length: 1\r\n\r\n", body: [1]),
    .raw("HTTP/1.1 099 No\r\n\r\n"), .raw("no status line at all\r\n\r\n"),
    .init { $0.headers = ["Content-Length: 42", "Content-Length: 30"] },
    .init(206),
    .redirect(to: "ftp://127.0.0.1/file"), .redirect(to: ""), .status(302), .redirect(to: "/file"),
  ])
  func headsThatBreakTheRules(_ answer: FaultServer.Answer) async throws {
    let found = try await failure(answer.with { if $0.status == 206 { $0.start = .at(5) } })
    #expect(found.kind == .protocolViolation)
    #expect(found.description.contains("127.0.0.1"))
  }

  @Test func aFileThatCannotFitIsRefusedAtOnce() async throws {
    let found = try await failure(.init { $0.headers = ["Content-Length: 4611686018427387904"] })
    #expect(found.kind == .file)
    #expect(found.recovery == .wait)
    #expect(found.description.contains("needs 4.0 EiB, ") && found.description.hasSuffix(" free"))
  }

  @Test func silenceIsAStall() async throws {
    let found = try await failure(.init { $0.latency = 3600 }) { $0.stallTimeout = 0.3 }
    #expect(found.kind == .network)
    #expect(found.recovery == .retry)
    #expect(found.description.contains("1 KiB/s"))
  }

  @Test func aBodyThatFallsSilentIsAStallAndItsBytesAreKept() async throws {
    let version = FaultServer.Version.named("v1", size: 300_000)
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 200_000)) { site in
      var request = try site.request()
      // Long enough for the bytes to arrive first, even on a busy machine.
      request.stallTimeout = 10
      let outcome = await site.run(try site.plan(request))
      #expect(outcome.failure?.kind == .network)
      #expect(outcome.reached == 200_000)
      #expect(site.directory.bytes("part") == version.content.bytes(in: 0..<200_000))
    }
  }
}
