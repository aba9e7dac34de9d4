// Downloads by their handles: progress, pausing, cancelling, resuming, and how many run at once.

import DrayCore
import DrayStore
import FaultServer
import Foundation
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
        // Within a second, this progress reaches the other readers, too.
        try await Task.sleep(for: .seconds(1))
        gate.open()
        for try await reader in readers { #expect(reader == (true, 300_000)) }
      }
      // A reader that starts late still gets the end.
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
}
