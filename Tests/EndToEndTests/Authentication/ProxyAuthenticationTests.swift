// Proxies that require authentication: P7.

import FaultServer
import Foundation
import Testing

@Suite("Proxy authentication")
struct ProxyAuthenticationTests {
  private static let content = Content.generated(seed: 7, size: 50_000)
  private static let user = ["--proxy-user", "ann:\(ChallengeServer.password)"]

  @Test(
    "credentials are the proxy's, and reach no server",
    arguments: [("basic", [String]()), ("md5", ["--proxy-digest"]), ("sha256", ["--proxy-anyauth"])], [false, true])
  func spoken(_ demand: (kind: String, options: [String]), isSecure: Bool) async throws {
    try await Sandbox.use { sandbox in
      let proxy = try await ChallengeServer(in: sandbox, proxy: demand.kind)
      sandbox.server["/f"] = .init(.init(Self.content))
      var options = Self.user + demand.options + ["--proxy", proxy.url(), "--retries", "0"]
      var url = sandbox.server.url("/f")
      if isSecure {
        let certificates = try await Certificates(in: sandbox)
        let nginx = try await RealServer(.nginx, in: sandbox, certificates: certificates)
        try Self.content.write(toFileAt: nginx.site + "/f")
        options += ["--cacert", certificates.authority]
        url = nginx.url("/f")
      }
      let finished = try await sandbox.dray(["get", url] + options)
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": Self.content], finished)
      #expect(proxy.requests.last?.method == (isSecure ? "CONNECT" : "GET"))
      for request in sandbox.server.requests { #expect(request["Proxy-Authorization"] == nil) }
    }
  }

  @Test("wrong credentials for the proxy: 6 after one try, with advice", arguments: [false, true])
  func wrong(isSecure: Bool) async throws {
    try await Sandbox.use { sandbox in
      let proxy = try await ChallengeServer(in: sandbox, proxy: "md5")
      let url = isSecure ? "https://127.0.0.1:9/f" : sandbox.server.url("/f")
      let finished = try await sandbox.dray(
        "get", url, "--proxy", proxy.url(), "--proxy-user", "ann:wrong", "--retry-wait", "600")
      expect(finished, exits: 6, saying: "--proxy-digest")
      #expect(finished.errors.contains("407"), "\(finished)")
      sandbox.expectNoFiles(finished)
      #expect(proxy.requests.count == 1, "\(proxy.requests)")
      #expect(sandbox.server.requests.isEmpty)
    }
  }
}
