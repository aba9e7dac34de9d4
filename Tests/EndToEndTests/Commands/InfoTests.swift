// `dray info`: an answer without a download.

import FaultServer
import Foundation
import Testing

@Suite("Info")
struct InfoTests {
  private func info(_ sandbox: Sandbox, _ path: String) async throws -> [String: Any] {
    let finished = try await sandbox.dray("info", "--json", sandbox.server.url(path))
    expect(finished, exits: 0)
    let json = try JSONSerialization.jsonObject(with: Data(finished.output.utf8))
    return try #require(json as? [String: Any], "\(finished)")
  }

  @Test("size, name and validators, without a body and without a job")
  func look() async throws {
    try await Sandbox.use { sandbox in
      var resource = Resource(AnswerCase.version)
      resource.disposition = "attachment; filename=named.bin"
      sandbox.server["/f"] = resource
      let finished = try await sandbox.dray("info", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      for part in ["200", "named.bin", "v1"] { #expect(finished.output.contains(part), "\(finished)") }
      let json = try await info(sandbox, "/f")
      #expect(json["size"] as? Int == 200_000, "\(json)")
      #expect(sandbox.server.bytesSent("/f") <= 2)
      #expect(try await sandbox.jobs().isEmpty)
      sandbox.expectNoFiles()
    }
  }

  @Test("if HEAD is refused, one byte is requested")
  func headRefused() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.status(405), .normal])
      let json = try await info(sandbox, "/f")
      #expect(json["size"] as? Int == 200_000, "\(json)")
      let requests = sandbox.server.requests("/f")
      #expect(requests.first?.method == "HEAD" && requests.last?.method == "GET")
      #expect(requests.last?["Range"] == "bytes=0-0")
    }
  }

  @Test("Q10 a size of 1 TB is shown exactly")
  func huge() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(.named("v1", size: 1 << 40))
      let json = try await info(sandbox, "/f")
      #expect(json["size"] as? Int == 1 << 40, "\(json)")
    }
  }

  @Test("redirects are shown; an error is its exit status")
  func redirectsAndErrors() async throws {
    try await Sandbox.use { sandbox in
      sandbox.server["/f"] = .init(AnswerCase.version, script: [.redirect(to: "/g")])
      sandbox.server["/g"] = .init(AnswerCase.version)
      let finished = try await sandbox.dray("info", sandbox.server.url("/f"))
      expect(finished, exits: 0)
      #expect(finished.output.contains("/g") && finished.output.contains("302"), "\(finished)")
      expect(try await sandbox.dray("info", sandbox.server.url("/missing")), exits: 8)
    }
  }
}
