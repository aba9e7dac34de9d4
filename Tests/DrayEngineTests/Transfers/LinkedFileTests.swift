// Files whose hub names them and redirects to servers that each have an entity tag of their own.

import DrayCore
import FaultServer
import Foundation
import Testing

@testable import DrayEngine

@Suite struct LinkedFileTests {
  private let version = FaultServer.Version.named("v1", size: 300_000)
  private static let hex = String(repeating: "5e", count: 32)

  /// Runs a transfer that has 100,000 bytes from another node.
  private func resume(
    _ tag: String, isLinked: Bool, body: (Site, TransferOutcome) throws -> Void
  ) async throws {
    var node = version
    node.etag = "\"node2\""
    try await Site.use(node) { site in
      let redirect = FaultServer.Answer.redirect(to: "/file").with { $0.headers.append("X-Linked-Etag: \(tag)") }
      site.server["/resolve"] = .init(node, script: [redirect])
      let recorded = try site.receivedBefore(100_000, of: version)
      var plan = try site.plan(try site.request("/resolve"), recorded: recorded, digestIsKnown: true)
      plan.expected.digest = try DigestValue.parse("sha-256=\(Self.hex)")
      plan.expected.isLinked = isLinked
      try body(site, await site.run(plan))
    }
  }

  @Test func anotherNodeContinues() async throws {
    try await resume("\"\(Self.hex)\"", isLinked: true) { site, outcome in
      #expect(outcome.resumedFrom == 100_000 && outcome.startedOver == nil)
      #expect(site.ranges == ["bytes=34464-"])
      #expect(site.server.requests("/file").first?["If-Range"] == nil)
      #expect(site.difference(version) == nil)
    }
  }

  @Test("without a hub that names the file, its entity tag decides")
  func otherJobs() async throws {
    try await resume("\"\(Self.hex)\"", isLinked: false) { _, outcome in #expect(outcome.startedOver != nil) }
  }

  @Test func anotherFileIsRefusedBeforeAByte() async throws {
    try await resume("\"\(Self.hex.replacing("5", with: "6"))\"", isLinked: true) { site, outcome in
      #expect(outcome.failure?.kind == .integrity)
      #expect(outcome.failure?.reason.contains("X-Linked-Etag") == true)
      #expect(site.directory.status("part")?.st_size == 100_000)
    }
  }
}
