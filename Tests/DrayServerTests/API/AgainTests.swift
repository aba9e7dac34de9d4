// Complete jobs that are fetched again, and passwords that are given later.

import DrayCore
import DrayKit
import FaultServer
import Foundation
import Testing
import WebServer

@testable import DrayServer

@Suite("fetching again, and passwords given later")
struct AgainTests {
  private static func result(_ body: [String: Any]) throws -> [String: Any] {
    try #require((body["results"] as? [[String: Any]])?.first)
  }

  @Test func anotherJobAndTheOldFileStays() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      try await fixture.running {
        let id = try await fixture.add("/f")[0]
        try #require(try await fixture.has(id, "complete"))
        let again = try Self.result(try await fixture.ask("POST", "/jobs/\(id)/again").body)
        #expect(again["result"] as? String == "done")
        #expect(again["message"] as? String == "job \(id + 1) fetches it")
        try #require(try await fixture.has(id + 1, "complete"))
        #expect(try await fixture.field("target", of: id + 1) as? String != fixture.directory + "/f")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory).count == 2)
        // If the old file is gone, the new one gets its name.
        try FileManager.default.removeItem(atPath: fixture.directory + "/f")
        let all = try await fixture.ask("POST", "/jobs/actions", #"{"action":"again","ids":[\#(id)]}"#)
        #expect(try Self.result(all.body)["result"] as? String == "done")
        try #require(try await fixture.has(id + 2, "complete"))
        #expect(try await fixture.field("target", of: id + 2) as? String == fixture.directory + "/f")
      }
    }
  }

  @Test func whatIsNotComplete() async throws {
    try await APIFixture.use { fixture in
      let id = try await fixture.add("/f", settings: #","paused":true"#)[0]
      let refused = try Self.result(try await fixture.ask("POST", "/jobs/\(id)/again").body)
      #expect(refused["result"] as? String == "refused" && refused["message"] as? String == "it is not complete")
      #expect(try await fixture.ask("POST", "/jobs/99/again").status == 404)
      let all = try await fixture.ask("POST", "/jobs/actions", #"{"action":"again","all":true}"#)
      #expect((all.body["results"] as? [Any])?.isEmpty == true)
    }
  }

  @Test func whatBelongsToTheOldFile() throws {
    var job = JobSpecification(request: TransferRequest(url: try RequestURL.parse("http://h/f").url), directory: "/d")
    job.request.cache = CachePolicy(ifChanged: TargetBaseline(name: "f"), noCache: true)
    (job.options.onConflict, job.startAt, job.output) = (.overwrite, 5, "f")
    let again = NativeAPI.again(job)
    #expect(again.request.cache == CachePolicy(noCache: true))
    #expect(again.options.onConflict == .rename && again.startAt == nil && again.output == "f")
  }

  @Test func aPasswordThatIsGivenLater() async throws {
    try await APIFixture.use { fixture in
      fixture.server["/f"] = .init(.named("v1", size: 1000))
      let id = try await fixture.add("/f", settings: #","paused":true"#)[0]
      let bad = try await fixture.ask("PATCH", "/jobs/\(id)", #"{"user":"a\u0007"}"#)
      #expect(bad.status == 400, "\(bad.body)")
      let changed = try await fixture.ask("PATCH", "/jobs/\(id)", #"{"user":"ann","password":"pw"}"#)
      #expect(changed.status == 200, "\(changed.body)")
      let details = try #require(await fixture.answer("GET", "/jobs/\(id)"))
      guard case .bytes(let bytes) = details.content else {
        Issue.record("no body")
        return
      }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("pw\""))
      try await fixture.running {
        _ = try await fixture.ask("POST", "/jobs/\(id)/resume")
        try #require(try await fixture.has(id, "complete"))
      }
      let sent = Data("ann:pw".utf8).base64EncodedString()
      #expect(fixture.server.requests("/f").last?["Authorization"] == "Basic \(sent)")
    }
  }
}
