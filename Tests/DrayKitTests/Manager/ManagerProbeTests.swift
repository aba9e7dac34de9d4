// What a probe reports about a file that is not fetched.

import DrayCore
import FaultServer
import Testing

@testable import DrayKit

@Suite struct ManagerProbeTests {
  @Test func aLookTellsWhatIsThere() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      fixture.server.update("/f") { resource in
        resource.contentType = "Text/Plain; charset=\"utf-8\""
        resource.disposition = "attachment; filename=\"given.txt\""
      }
      fixture.server["/start"] = .init(.sample, script: [.redirect(to: "/f")])
      let report = try await DownloadManager.probe(try fixture.specification("/start").request)
      #expect(report.facts.size == 300_000)
      #expect(report.facts.name == "given.txt")
      #expect(report.facts.mediaType == "text/plain")
      #expect(report.facts.charset == "utf-8")
      #expect(report.response.hops?.map(\.head.status) == [302])
      #expect(report.facts.isResumable)
      #expect(report.facts.validators.etag == "\"v1\"")
    }
  }

  @Test(arguments: [
    ("not support ranges", FaultServer.Answer { $0.headers = ["Accept-Ranges: none"] }),
    ("nothing said", .init { $0.without = ["Accept-Ranges"] }),
    ("weak", .init { $0.headers = ["ETag: W/\"x\""] }),
    ("compressed", .init { $0.headers = ["Content-Encoding: gzip"] }),
  ])
  func whatCannotBeResumedIsTold(_ name: String, _ answer: FaultServer.Answer) async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample, script: [answer])
      let report = try await DownloadManager.probe(try fixture.specification("/f").request)
      #expect(!report.facts.isResumable)
      #expect(!report.facts.resumableReason.isEmpty)
    }
  }
}
