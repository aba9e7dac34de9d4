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
    try await House.use { house in
      let digest = try DigestValue.parse("sha-256=\(DigestTests.right)")
      let id = try await house.add("/f", .init(DigestTests.text)) { $0.digest = digest }
      try await house.run()
      #expect(try await house.job(id).state == .complete)
      #expect(try await house.job(id).digest == digest)
    }
  }

  @Test func theWrongOneFailsAtOnceAndLeavesNothing() async throws {
    try await House.use { house in
      let digest = try DigestValue.parse("sha-256=\(DigestTests.wrong)")
      let id = try await house.add("/f", .init(DigestTests.text)) { $0.digest = digest }
      let summary = try await house.run()
      #expect((summary.failed, summary.exitStatus) == (1, .integrity))
      let failure = try #require(try await house.job(id).failure)
      #expect(failure.description.contains(DigestTests.right))
      #expect(failure.description.contains(DigestTests.wrong))
      #expect(house.server.requests("/f").count == 1)
      #expect(try house.names.isEmpty)
    }
  }

  /// Brings a job half-way with wrong bytes, and continues.
  private func resumeSpoiled(in house: House, _ digest: String) async throws -> (JobID, RunSummary) {
    let digest = try DigestValue.parse(digest)
    var bytes = FaultServer.Version.sample.content.bytes(in: 0..<FaultServer.Version.sample.content.size)
    bytes[50_000] ^= 1
    let spoiled = FaultServer.Version(.fixed(bytes), etag: FaultServer.Version.sample.etag)
    let id = try await house.add("/f", spoiled, [.cut(after: 100_000)]) { options in
      options.retries = 0
      options.digest = digest
    }
    try await house.run()
    let job = try await house.job(id)
    try #require(job.state == .interrupted)
    house.server["/f"] = .init(.sample)
    return (id, try await house.run())
  }

  @Test func aMismatchAfterAResumeGetsOneCleanFetch() async throws {
    try await House.use { house in
      let sample = FaultServer.Version.sample.content
      let wanted = "sha-256=" + House.sha256(sample.bytes(in: 0..<sample.size))
      let (id, summary) = try await resumeSpoiled(in: house, wanted)
      #expect(summary.complete == 1)
      #expect(house.ranges("/f") == [nil, "bytes=87500-", nil])
      #expect(house.difference("f", .sample) == nil)
      #expect(try await house.job(id).digest?.description == wanted)
    }
  }

  @Test func andFailsAfterThat() async throws {
    try await House.use { house in
      let (id, summary) = try await resumeSpoiled(in: house, "sha-256=\(DigestTests.wrong)")
      #expect((summary.failed, summary.exitStatus) == (1, .integrity))
      #expect(house.ranges("/f") == [nil, "bytes=87500-", nil])
      #expect(try await house.job(id).state == .failed)
      #expect(try house.names.isEmpty)
    }
  }
}
