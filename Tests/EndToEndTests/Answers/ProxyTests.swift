// A proxy, by each way to name one.

import FaultServer
import Foundation
import Testing

@Suite("Proxy")
struct ProxyTests {
  @Test("a proxy from the option and from the environment is used", arguments: [false, true])
  func proxy(isFromEnvironment: Bool) async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version)
      let proxy = sandbox.server.url("")
      let option = isFromEnvironment ? [] : ["--proxy", proxy]
      let program = try sandbox.start(["get", "http://files.example/f"] + option) {
        if isFromEnvironment { $0.environment["http_proxy"] = proxy }
      }
      let finished = try await program.finish()
      expect(finished, exits: 0)
      sandbox.expectFiles(["f": AnswerCase.version.content], finished)
      #expect(sandbox.server.requests("/f").map(\.target) == ["http://files.example/f"])
    }
  }
}
