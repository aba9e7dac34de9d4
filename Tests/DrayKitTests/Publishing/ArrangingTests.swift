// Links to published files: made before a job is complete, repeated after a crash, and never outside.

import DrayCore
import DrayDocuments
import DrayKit
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@Suite struct ArrangingTests {
  private let version = FaultServer.Version.named("v1", size: 50_000)
  private let links = LinkArrangement(
    paths: ["repo/snapshots/c/d/file", "repo/snapshots/c/copy"], depth: 2, lock: ".locks/repo/digest.lock",
    note: .init(path: "repo/refs/main", text: "c", time: Date().timeIntervalSince1970))

  /// Queues a job whose file is `repo/blobs/digest` in the directory of the fixture.
  private func add(_ fixture: KitFixture, _ change: (inout JobOptions) -> Void = { _ in }) async throws -> JobID {
    fixture.server["/f"] = .init(version)
    var job = try fixture.specification("/f") { options in
      options.source = SourceReference(name: "hf:o/n", path: "d/file", arrangements: [.links(links)])
      change(&options)
    }
    OfferedFile(urls: [job.request.url], name: "repo/blobs/digest").apply(to: &job)
    let added = try await fixture.store.add([job], now: Date().timeIntervalSince1970)
    return try #require(added.first).id
  }

  private func link(_ fixture: KitFixture, _ name: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: fixture.path(name))
  }

  @Test func linksAndNote() async throws {
    try await KitFixture.use { fixture in
      let id = try await add(fixture)
      _ = try await Run(fixture.manager).summary()
      #expect(try await fixture.job(id).state == .complete)
      #expect(fixture.difference("repo/blobs/digest", version) == nil)
      #expect(link(fixture, "repo/snapshots/c/d/file") == "../../../blobs/digest")
      #expect(link(fixture, "repo/snapshots/c/copy") == "../../blobs/digest")
      #expect(fixture.difference("repo/snapshots/c/d/file", version) == nil)
      #expect(fixture.bytes("repo/refs/main").map { String(decoding: $0, as: UTF8.self) } == "c")
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("repo/blobs")) == ["digest"])
    }
  }

  @Test("a link that leads elsewhere is replaced; a copy and a later note stay")
  func whatIsThere() async throws {
    try await KitFixture.use { fixture in
      let files = FileManager.default
      try files.createDirectory(atPath: fixture.path("repo/snapshots/c/d"), withIntermediateDirectories: true)
      try files.createDirectory(atPath: fixture.path("repo/refs"), withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: fixture.path("repo/snapshots/c/d/file"), withDestinationPath: "/etc/passwd")
      try fixture.write("copy".utf8, to: "repo/snapshots/c/copy")
      try fixture.write("later".utf8, to: "repo/refs/main")
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: 3600)], ofItemAtPath: fixture.path("repo/refs/main"))
      _ = try await add(fixture)
      _ = try await Run(fixture.manager).summary()
      #expect(link(fixture, "repo/snapshots/c/d/file") == "../../../blobs/digest")
      #expect(fixture.bytes("repo/snapshots/c/copy") == Array("copy".utf8))
      #expect(fixture.bytes("repo/refs/main") == Array("later".utf8))
    }
  }

  @Test("a directory that is a link is not entered, and the job is not complete")
  func planted() async throws {
    try await KitFixture.use { fixture in
      let outside = fixture.root + "/outside"
      try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: fixture.path("repo"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(atPath: fixture.path("repo/snapshots"), withDestinationPath: outside)
      let id = try await add(fixture) { $0.retries = 0 }
      _ = try await Run(fixture.manager).summary()
      let job = try await fixture.job(id)
      #expect(job.state == .interrupted && job.failure?.kind == .file, "\(job.state) \(job.failure?.reason ?? "")")
      #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
      // The obstacle goes away: nothing is fetched again.
      try FileManager.default.removeItem(atPath: fixture.path("repo/snapshots"))
      _ = try await fixture.store.resume([id])
      _ = try await Run(fixture.manager).summary()
      #expect(try await fixture.job(id).state == .complete)
      #expect(link(fixture, "repo/snapshots/c/d/file") == "../../../blobs/digest")
      #expect(fixture.server.requests("/f").count == 1)
    }
  }
}
