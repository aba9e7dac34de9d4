// Redirects on the way to a file: followed, reported, and never given another origin's secrets (P7, P15).

import DrayCore
import FaultServer
import Testing

@testable import DrayEngine

@Suite struct RedirectTests {
  private let version = FaultServer.Version.named("v1", size: 300_000)

  @Test func secretsStayHomeAndReturnThere() async throws {
    let elsewhere = try FaultServer()
    defer { elsewhere.stop() }
    try await Site.use(version) { site in
      let home = site.server
      home["/start"] = .init(version, script: [.redirect(to: elsewhere.url("/mid"))])
      elsewhere["/mid"] = .init(version, script: [.redirect(to: home.url("/file"), status: 307)])
      var request = try site.request("/start")
      request.headers = [HeaderField("X-Own", "secret")]
      request.cookie = "c=secret"
      request.referer = "http://from/"
      request.credentials = Credentials(user: "u", password: "p")
      let watcher = Watcher()
      let outcome = await site.run(try site.plan(request), watcher)
      #expect(outcome.wholeSize == 300_000)
      #expect(site.difference(version) == nil)
      #expect(watcher.now.redirects.map(\.status) == [302, 307])
      #expect(outcome.response?.redirects == [home.url("/start"), elsewhere.url("/mid")])
      #expect(outcome.lastURL.string == home.url("/file"))

      let names = ["X-Own", "Cookie", "Referer", "Authorization"]
      let (first, last) = (home.requests("/start").first, home.requests("/file").first)
      let stranger = try #require(elsewhere.requests("/mid").first)
      for name in names {
        #expect(first?[name] != nil, "\(name) at home")
        #expect(stranger[name] == nil, "\(name) elsewhere")
        #expect(last?[name] != nil, "\(name) at home again")
      }
    }
  }

  @Test func theBodyOfARedirectIsNoFile() async throws {
    // Too much to read just to keep the connection.
    let answer = FaultServer.Answer.redirect(to: "/file").with { $0.body = [UInt8](repeating: 1, count: 500_000) }
    try await Site.use(version) { site in
      site.server["/start"] = .init(version, script: [answer])
      let outcome = await site.run(try site.plan(try site.request("/start")))
      #expect(outcome.wholeSize == 300_000)
      #expect(site.difference(version) == nil)
    }
  }

  @Test func aLoopEnds() async throws {
    try await Site.use(version, .redirect(to: "?again")) { site in
      let outcome = await site.run(try site.plan())
      #expect(outcome.failure?.kind == .protocolViolation)
      #expect(site.server.requests("/file").count == RedirectPolicy.defaultLimit + 1)
    }
  }

  @Test func aLoopIsToldWithoutItsSecrets() async throws {
    try await Site.use(version, .redirect(to: "/file?token=hunter2")) { site in
      let outcome = await site.run(try site.plan())
      let message = try #require(outcome.failure).description
      #expect(message.contains("redirect loop at http://"))
      #expect(!message.contains("hunter2"))
    }
  }

  @Test func aResumeFollowsThemAgain() async throws {
    try await Site.use(version) { site in
      site.server["/start"] = .init(version, script: [.redirect(to: "/file")])
      let recorded = try site.receivedBefore(100_000, of: version)
      let outcome = await site.run(try site.plan(try site.request("/start"), recorded: recorded))
      #expect(outcome.resumedFrom == 100_000)
      #expect(site.ranges == ["bytes=34464-"])
      #expect(site.difference(version) == nil)
    }
  }
}
