// Digests are checked before anything is published (P12).

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayKit

@Suite struct DigestTests {
  private static let text = FaultServer.Content.fixed("abc".utf8)
  private static let right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  private static let wrong = String(repeating: "0", count: 64)

  @Test func theRightOneIsRecorded() async throws {
    try await KitFixture.use { fixture in
      let digest = try DigestValue.parse("sha-256=\(DigestTests.right)")
      let id = try await fixture.add("/f", .init(DigestTests.text)) { $0.digest = digest }
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(try await fixture.job(id).digest == digest)
    }
  }

  @Test func theWrongOneFailsAtOnceAndLeavesNothing() async throws {
    try await KitFixture.use { fixture in
      let digest = try DigestValue.parse("sha-256=\(DigestTests.wrong)")
      let id = try await fixture.add("/f", .init(DigestTests.text)) { $0.digest = digest }
      let summary = try await fixture.run()
      #expect((summary.failed, summary.exitStatus) == (1, .integrity))
      let failure = try #require(try await fixture.job(id).failure)
      #expect(failure.description.contains(DigestTests.right))
      #expect(failure.description.contains(DigestTests.wrong))
      #expect(fixture.server.requests("/f").count == 1)
      #expect(try fixture.names.isEmpty)
    }
  }

  /// Brings a job half-way with wrong bytes, and continues.
  private func resumeSpoiled(in fixture: KitFixture, _ digest: String) async throws -> (JobID, RunSummary) {
    let digest = try DigestValue.parse(digest)
    var bytes = FaultServer.Version.sample.content.bytes(in: 0..<FaultServer.Version.sample.content.size)
    bytes[50_000] ^= 1
    let spoiled = FaultServer.Version(.fixed(bytes), etag: FaultServer.Version.sample.etag)
    let id = try await fixture.add("/f", spoiled, [.cut(after: 100_000)]) { options in
      options.retries = 0
      options.digest = digest
    }
    try await fixture.run()
    let job = try await fixture.job(id)
    try #require(job.state == .interrupted)
    fixture.server["/f"] = .init(.sample)
    return (id, try await fixture.run())
  }

  @Test func aMismatchAfterAResumeGetsOneCleanFetch() async throws {
    try await KitFixture.use { fixture in
      let sample = FaultServer.Version.sample.content
      let wanted = "sha-256=" + KitFixture.sha256(sample.bytes(in: 0..<sample.size))
      let (id, summary) = try await resumeSpoiled(in: fixture, wanted)
      #expect(summary.complete == 1)
      #expect(fixture.ranges("/f") == [nil, "bytes=87500-", nil])
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try await fixture.job(id).digest?.description == wanted)
    }
  }

  @Test func andFailsAfterThat() async throws {
    try await KitFixture.use { fixture in
      let (id, summary) = try await resumeSpoiled(in: fixture, "sha-256=\(DigestTests.wrong)")
      #expect((summary.failed, summary.exitStatus) == (1, .integrity))
      #expect(fixture.ranges("/f") == [nil, "bytes=87500-", nil])
      #expect(try await fixture.job(id).state == .failed)
      #expect(try fixture.names.isEmpty)
    }
  }
}
