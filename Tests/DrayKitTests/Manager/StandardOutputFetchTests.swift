// Fetches to a descriptor: nothing is written before the file is whole, and nothing is left behind.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

@Suite struct StandardOutputFetchTests {
  /// Fetches `/f` to a file, through a descriptor.
  private func fetch(
    in fixture: KitFixture, _ change: (inout JobOptions) -> Void = { _ in }
  ) async throws -> (Bool, [String]) {
    try Data().write(to: URL(fileURLWithPath: fixture.root + "/out"))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.root + "/out"))
    defer { try? handle.close() }
    let story = Story()
    let written = try await DownloadManager.fetch(
      try fixture.specification("/f", change), toDescriptor: handle.fileDescriptor
    ) { story.add($0.name) }
    return (written, story.all)
  }

  private func difference(_ fixture: KitFixture, _ version: FaultServer.Version) -> String? {
    version.content.difference(fromFileAt: fixture.root + "/out")
  }

  @Test func itComesWhole() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      let (written, story) = try await fetch(in: fixture)
      #expect(written)
      #expect(story == ["response", "complete"])
      #expect(difference(fixture, .sample) == nil)
      #expect(try await fixture.store.counts().isEmpty)
      #expect(try fixture.names.isEmpty)
    }
  }

  @Test func itIsResumed() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample, script: [.cut(after: 100_000), .normal])
      let (written, _) = try await fetch(in: fixture)
      #expect(written)
      #expect(fixture.ranges("/f") == [nil, "bytes=87500-"])
      #expect(difference(fixture, .sample) == nil)
    }
  }

  /// Bytes in a pipe cannot be taken back: none is written before the file is whole (P2).
  @Test func aChangeOnTheWayIsNotSeen() async throws {
    try await KitFixture.use { fixture in
      let other = FaultServer.Version.named("v2", size: 250_000)
      fixture.server["/f"] = .init(.sample, script: [.cut(after: 100_000), .changed(to: other)])
      let (written, story) = try await fetch(in: fixture)
      #expect(written)
      #expect(story.contains("restarted"))
      #expect(difference(fixture, other) == nil)
    }
  }

  @Test func aWrongDigestWritesNothing() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      let digest = DigestValue(.md5, bytes: [UInt8](repeating: 0, count: 16))
      await #expect {
        try await fetch(in: fixture) { $0.digest = digest }
      } throws: {
        ($0 as? Failure)?.kind == .integrity
      }
      #expect(FileManager.default.contents(atPath: fixture.root + "/out") == Data())
    }
  }

  /// After a digest mismatch the whole file comes from one server in one answer, as for a job.
  @Test func theCleanFetchAsksOneServerOnce() async throws {
    try await KitFixture.use { fixture in
      let slow = FaultServer.Answer { $0.rate = 1 << 20 }
      let version = FaultServer.Version.named("v1", size: 6 << 20)
      fixture.server["/f"] = .init(version, script: [slow])
      fixture.server["/mirror"] = .init(version, script: [slow])
      let mirror = try RequestURL.parse(fixture.server.url("/mirror")).url
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
      let specification = try fixture.specification("/f") {
        $0.digest = DigestValue(.sha256, bytes: [UInt8](repeating: 0, count: 32))
        $0.mirrors = [mirror]
        $0.maxConnections = 4
      }
      let before = Mutex<(own: Int, mirrored: Int)?>(nil)
      await #expect {
        try await DownloadManager.fetch(specification, toDescriptor: handle.fileDescriptor) { kind in
          guard case .restarted(.digestMismatch) = kind else { return }
          before.withLock {
            guard $0 == nil else { return }
            $0 = (fixture.server.requests("/f").count, fixture.server.requests("/mirror").count)
            fixture.server.update("/f") { $0.version = .named("v2", size: 6 << 20) }
          }
        }
      } throws: {
        ($0 as? Failure)?.kind == .integrity
      }
      let (own, mirrored) = try #require(before.withLock { $0 })
      // The first fetch came over several connections, or there was nothing to fetch cleanly.
      #expect(own + mirrored > 1)
      // Then one answer of the file's own server and, after another mismatch, one of the mirror. A connection of the
      // first fetch may be seen late.
      let clean = fixture.server.requests("/f").dropFirst(own).filter { $0["If-Range"] != "\"v1\"" }
      #expect(clean.map { $0["Range"] } == [nil])
      #expect(fixture.ranges("/mirror").dropFirst(mirrored).filter { $0 == nil }.count == 1)
    }
  }

  /// If the server lacks the file, its mirror is used, as for a job.
  @Test func anotherURLIsAskedWithoutAJobToo() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/mirror"] = .init(.sample)
      let mirror = try RequestURL.parse(fixture.server.url("/mirror")).url
      let (written, story) = try await fetch(in: fixture) { $0.mirrors = [mirror] }
      #expect(written)
      #expect(story.contains("retrying") && story.last == "complete")
      #expect(difference(fixture, .sample) == nil)
    }
  }

  /// Nothing of the fetch stays, so the message does not promise kept bytes.
  @Test func aPageIsNeitherWrittenNorKept() async throws {
    try await KitFixture.use { fixture in
      let page = Array("<!DOCTYPE html><html><body>Log in</body></html>".utf8)
      fixture.server["/f.zip"] = .init(FaultServer.Version(.fixed(page), etag: "\"1\""))
      fixture.server.update("/f.zip") { $0.contentType = "text/html" }
      fixture.server["/gone"] = .init(.sample, script: [.cut(after: 100_000), .status(404)])
      for (path, says) in [("/f.zip", "web page"), ("/gone", "404")] {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/null"))
        let specification = try fixture.specification(path)
        let failure = await #expect(throws: Failure.self) {
          try await DownloadManager.fetch(specification, toDescriptor: handle.fileDescriptor) { _ in }
        }
        let message = try #require(failure).message(.plain)
        #expect(message.contains(says) && !message.contains("kept"), "\(message)")
      }
    }
  }

  @Test func aDescriptorThatTakesNothingIsAFailure() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      defer { try? full.close() }
      let specification = try fixture.specification("/f")
      await #expect {
        try await DownloadManager.fetch(specification, toDescriptor: full.fileDescriptor) { _ in }
      } throws: {
        ($0 as? Failure)?.kind == .file
      }
    }
  }
}

/// A list of words that many threads add to.
private final class Story: Sendable {
  private let words = Mutex<[String]>([])
  var all: [String] { words.withLock { $0 } }
  func add(_ word: String) { words.withLock { $0.append(word) } }
}
