// Documents fetched into memory: the limit of redirects, and messages about invalid answers.

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct DocumentTests {
  private let version = FaultServer.Version.named("v1", size: 20)

  /// The failure of fetching `/file`, two redirects away, with `limit` redirects allowed.
  private func failure(limit: Int?) async throws -> Failure? {
    var failure: Failure?
    try await Site.use(version, .redirect(to: "/second")) { site in
      site.server["/second"] = .init(version, script: [.redirect(to: "/third")])
      site.server["/third"] = .init(version)
      var request = try site.request()
      request.redirects = limit.map { limit in
        var options = RedirectOptions()
        options.limit = limit
        return options
      }
      do throws(Failure) { _ = try await site.engine.fetchDocument(request) } catch { failure = error }
    }
    return failure
  }

  @Test(arguments: [nil, 2, 5]) func redirectsWithinTheLimitAreFollowed(_ limit: Int?) async throws {
    #expect(try await failure(limit: limit) == nil)
  }

  @Test(arguments: [(0, "redirects are not allowed"), (1, "it redirects more than 1 times")])
  func redirectsBeyondTheRequestsLimitAreRefused(_ limit: Int, _ reason: String) async throws {
    let failure = try await failure(limit: limit)
    #expect(failure?.kind == .protocolViolation && failure?.reason == reason)
  }
}

/// Failures report a server's terminal escape sequences as plain text (P8).
@Suite struct HostileTextTests {
  static let answers: [FaultServer.Answer] = [
    .raw("HTTP/1.1 2\u{1B}]0;x\u{07}\u{9B}31m OK\r\n\r\n"), .raw("\u{1B}[2J\r\n\r\n"),
    .raw("HTTP/1.1 200 OK\r\n\u{1B}[2J: x\r\nX\u{1B}[2J : y\r\n\r\n"),
    .redirect(to: "http://\u{1B}[2J\u{9B}/"), .redirect(to: "http://h:\u{202E}1/"),
  ]

  private func expectPlain(_ error: Failure?, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let error else {
      Issue.record("nothing failed", sourceLocation: sourceLocation)
      return
    }
    let message = error.message(.plain)
    #expect(message == TextSafety.escaped(message), sourceLocation: sourceLocation)
  }

  @Test(arguments: answers.indices) func isEscapedInEveryFailure(_ index: Int) async throws {
    try await Site.use(.named("v1", size: 20), Self.answers[index]) { site in
      let request = try site.request()
      expectPlain(await #expect(throws: Failure.self) { _ = try await site.engine.probe(request) })
      expectPlain(await #expect(throws: Failure.self) { _ = try await site.engine.fetchDocument(request) })
      expectPlain(await site.run(try site.plan(request)).failure)
    }
  }
}
