// The library's short ways: one download, a fetch to a descriptor, a probe.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Synchronization
import Testing

@testable import DrayKit

@Suite struct DownloadTests {
  @Test func oneDownloadTellsItsProgressAndItsFile() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000)])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      var last: DownloadProgress?
      for await progress in download.progress {
        #expect(progress.received <= 300_000)
        // Half-way, where the answer is held.
        if progress.received == 200_000, progress.size == 300_000 { gate.open() }
        last = progress
      }
      let file = try await download.value()
      #expect(gate.isOpen)
      #expect(last?.received == 300_000 && last?.fraction == 1)
      #expect(file.job.id == download.id)
      #expect(file.path == fixture.path("f"))
      #expect(file.job.state == .complete)
      #expect(file.job.response?.head.status == 200)
      #expect(fixture.difference("f", .sample) == nil)
      // The second time the file is already there.
      let again = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory).value()
      #expect(again.job.id == file.job.id)
      #expect(fixture.server.requests("/f").count == 1)
    }
  }

  @Test func aCancelledOneGoesOnAnotherTime() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000), .normal])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory, as: "own")
      for await progress in download.progress where progress.received == 200_000 { break }
      download.cancel()
      await #expect(throws: Failure.self) { try await download.value() }
      #expect(try await fixture.job(download.id).state == .interrupted)
      let file = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory, as: "own").value()
      #expect(file.path == fixture.path("own"))
      #expect(fixture.ranges("/f") == [nil, "bytes=175000-"])
      #expect(fixture.difference("own", .sample) == nil)
    }
  }

  @Test func aPausedOneWaitsUntilItIsResumed() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000), .normal])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      for await progress in download.progress where progress.received == 200_000 { break }
      guard case .done = try await download.pause() else {
        Issue.record("it was not paused")
        return
      }
      await #expect(throws: Failure.self) { try await download.value() }
      #expect(try await fixture.job(download.id).state == .paused)
      _ = try await fixture.manager.resume([download.id])
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func theSameOneTwiceIsOneJob() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000)])
      let first = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      try #require(await gate.waitForArrivals(1, seconds: 60))
      let second = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      // Time for the second call to look for the job while the first one holds it.
      try await Task.sleep(for: .seconds(1))
      gate.open()
      #expect(try await first.value().job.id == second.value().job.id)
      #expect(fixture.server.requests("/f").count == 1)
    }
  }

  @Test func aFailureIsThrown() async throws {
    try await KitFixture.use { fixture in
      let url = fixture.server.url("/nothing")
      await #expect {
        try await fixture.manager.download(url, to: fixture.directory).value()
      } throws: {
        ($0 as? Failure)?.httpStatus == 404
      }
      await #expect {
        try await fixture.manager.download("no url at all", to: fixture.directory)
      } throws: {
        ($0 as? Failure)?.kind == .usage
      }
    }
  }

  @Test func everyReaderSeesTheProgress() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000)])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      try await withThrowingTaskGroup(of: (sawHalf: Bool, last: Int64?).self) { readers in
        for _ in 0..<3 {
          readers.addTask {
            var (sawHalf, last): (Bool, Int64?) = (false, nil)
            for await progress in download.progress {
              if progress.received == 200_000 { sawHalf = true }
              last = progress.received
            }
            return (sawHalf, last)
          }
        }
        for await progress in download.progress where progress.received == 200_000 { break }
        // The others, too, are told within a second.
        try await Task.sleep(for: .seconds(1))
        gate.open()
        for try await reader in readers { #expect(reader == (true, 300_000)) }
      }
      // A reader that comes late still gets the end.
      var late: [Int64] = []
      for await progress in download.progress { late.append(progress.received) }
      #expect(late == [300_000])
    }
  }

  @Test func aCancelledTaskKeepsTheBytes() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000), .normal])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      let waiting = Task { try await download.value() }
      for await progress in download.progress where progress.received == 200_000 { break }
      waiting.cancel()
      await #expect(throws: Failure.self) { try await waiting.value }
      #expect(try await fixture.job(download.id).state == .interrupted)
      try await download.resume()
      #expect(try await download.value().path == fixture.path("f"))
      #expect(fixture.ranges("/f") == [nil, "bytes=175000-"])
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func aPausedOneIsResumedByItsHandle() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000), .normal])
      let download = try await fixture.manager.download(fixture.server.url("/f"), to: fixture.directory)
      for await progress in download.progress where progress.received == 200_000 { break }
      try await download.pause()
      try await download.resume()
      // While it runs, and once it is complete, there is nothing to resume.
      try await download.resume()
      #expect(try await download.value().path == fixture.path("f"))
      try await download.resume()
      #expect(try await download.value().path == fixture.path("f"))
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func theChecksumMustMatch() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      let digest = KitFixture.sha256(FaultServer.Version.sample.content.bytes(in: 0..<300_000))
      let url = fixture.server.url("/f")
      let file = try await fixture.manager.download(
        url, to: fixture.directory, as: "right", checksum: "sha256:\(digest)", priority: 3
      ).value()
      #expect(file.job.digest?.hex == digest && file.job.specification.priority == 3)
      let zeros = String(repeating: "0", count: 64)
      await #expect {
        try await fixture.manager.download(url, to: fixture.directory, as: "wrong", checksum: zeros).value()
      } throws: {
        ($0 as? Failure)?.kind == .integrity
      }
      await #expect {
        try await fixture.manager.download(url, to: fixture.directory, as: "bad", checksum: "sha-256=12")
      } throws: {
        ($0 as? Failure)?.kind == .usage
      }
      #expect(try fixture.names == ["right"])
    }
  }

  @Test func aMirrorIsAskedWhereTheServerHasNothing() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/mirror"] = .init(.sample)
      let mirror = fixture.server.url("/mirror")
      let file = try await fixture.manager.download(
        fixture.server.url("/gone"), to: fixture.directory, as: "f", mirrors: [mirror]
      ).value()
      #expect(file.path == fixture.path("f"))
      #expect(fixture.difference("f", .sample) == nil)
      await #expect {
        try await fixture.manager.download(mirror, to: fixture.directory, mirrors: ["no url at all"])
      } throws: {
        ($0 as? Failure)?.kind == .usage
      }
    }
  }

  /// With one turn, the second download starts after the first.
  @Test func moreThanTheManagerAllowsWait() async throws {
    try await KitFixture.use { fixture in
      var configuration = Configuration(home: fixture.home)
      configuration.maxDownloads = 1
      let manager = try DownloadManager.openBlocking(configuration)
      let gate = FaultServer.Gate()
      fixture.server["/f"] = .init(.sample, script: [.held(by: gate, after: 200_000)])
      fixture.server["/g"] = .init(.sample)
      let first = try await manager.download(fixture.server.url("/f"), to: fixture.directory)
      try #require(await gate.waitForArrivals(1, seconds: 60))
      let second = try await manager.download(fixture.server.url("/g"), to: fixture.directory)
      let third = try await manager.download(fixture.server.url("/h"), to: fixture.directory)
      third.cancel()
      await #expect(throws: Failure.self) { try await third.value() }
      #expect(fixture.server.requests("/g").isEmpty && fixture.server.requests("/h").isEmpty)
      gate.open()
      _ = try await (first.value(), second.value())
      #expect(fixture.difference("g", .sample) == nil)
    }
  }

  // MARK: To a descriptor

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

  /// The private directory goes with the fetch, and users know no number of its job.
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

  // MARK: A look

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

/// A list of words that many threads add to.
private final class Story: Sendable {
  private let words = Mutex<[String]>([])
  var all: [String] { words.withLock { $0 } }
  func add(_ word: String) { words.withLock { $0.append(word) } }
}
