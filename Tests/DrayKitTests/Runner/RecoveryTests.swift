// The next runner finishes the work of one that died at any moment (P1, P3, P5, P9; Q5).

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct RecoveryTests {
  /// A job whose runner is dead, with `count` bytes on disk and recorded.
  private func orphan(in fixture: KitFixture, received count: Int64, output: String? = nil) async throws -> Job {
    let id = try await fixture.add("/f", .sample, output: output)
    let dead = UUID()
    let claimed = try await fixture.store.claim(
      runner: dead, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
    let job = try #require(claimed.first)
    try #require(job.id == id)
    let version = FaultServer.Version.sample
    try fixture.write(version.content.bytes(in: 0..<count), to: job.partFileName)
    let checkpoint = Checkpoint(
      segments: SegmentSet(0..<count), size: version.content.size, validators: Validators(etag: version.etag),
      provenance: Provenance(url: job.specification.request.url))
    #expect(try await fixture.store.checkpoint([(id, checkpoint)], runner: dead) == [id])
    return try await fixture.job(id)
  }

  @Test func aDeadRunnersJobIsInterruptedToWhoeverLooks() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 100_000)
      try await fixture.anotherManager().refresh()
      #expect(try await fixture.job(job.id).state == .interrupted)
      #expect(try await fixture.job(job.id).checkpoint.segments == SegmentSet(0..<100_000))
    }
  }

  @Test func theNextRunGoesOnWithIt() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 100_000)
      let summary = try await fixture.run()
      #expect(summary.complete == 1)
      #expect(fixture.ranges("/f") == ["bytes=34464-"])
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try await fixture.job(job.id).state == .complete)
      #expect(try fixture.names == ["f"])
    }
  }

  @Test func aLivingRunnersJobIsLeftAloneUntilItDies() async throws {
    try await KitFixture.use { fixture in
      let lease = try await fixture.store.acquireLease()
      let id = try await fixture.add("/f", .sample)
      _ = try await fixture.store.claim(runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
      try await fixture.manager.refresh()
      #expect(try await fixture.job(id).state == .active)
      let run = try await Run(fixture.manager, .jobs([id]))
      try #require(await eventually { await run.runner.snapshot().elsewhere == 1 })
      #expect(fixture.server.requests("/f").isEmpty)
      // A run for this very job waits for the other runner's end, and takes over.
      await lease.release()
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func onlyALivingRunnerTransfers() async throws {
    try await KitFixture.use { fixture in
      _ = try await orphan(in: fixture, received: 100_000)
      let withADeadOne = try await fixture.manager.isTransferring()
      #expect(!withADeadOne)
      let lease = try await fixture.store.acquireLease()
      let withoutAJob = try await fixture.manager.isTransferring()
      #expect(!withoutAJob)
      _ = try await fixture.add("/g", .sample)
      _ = try await fixture.store.claim(runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
      let withAJob = try await fixture.manager.isTransferring()
      #expect(withAJob)
      await lease.release()
      let afterItsEnd = try await fixture.manager.isTransferring()
      #expect(!afterItsEnd)
    }
  }

  @Test("a run that waits for a job takes it over, even if another process released it")
  func releasedByAnother() async throws {
    try await KitFixture.use { fixture in
      let other = try fixture.anotherManager()
      for round in 0..<5 {
        let lease = try await fixture.store.acquireLease()
        let id = try await fixture.add("/f\(round)", .sample)
        _ = try await fixture.store.claim(
          runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
        let run = try await Run(fixture.manager, .jobs([id]))
        try #require(await eventually { await run.runner.snapshot().elsewhere == 1 })
        await lease.release()
        try await other.refresh()
        #expect(try await run.summary().complete == 1)
      }
    }
  }

  @Test func whatADeadRunnerWasAskedIsDone() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 100_000)
      _ = try await fixture.store.remove([job.id])
      try await fixture.manager.refresh()
      #expect(try await fixture.store.job(job.id) == nil)
      #expect(try fixture.names.isEmpty)
    }
  }

  // MARK: Publishes that were cut off

  /// Where the runner died.
  enum Moment: CaseIterable {
    case beforeTheRename, afterTheRename, betweenItsTwoSteps
    case beforeTheRenameWithThePartFileGone, beforeTheRenameWithThePartFileCut
  }

  @Test(arguments: Moment.allCases)
  func aPublishIsFinished(_ moment: Moment) async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try fixture.identity(job.partFileName), fileName: "f")
      #expect(try await fixture.store.beginPublishing([intent], runner: dead, now: 3) == [.granted("f")])
      var requests = 0
      switch moment {
      case .beforeTheRename: break
      case .afterTheRename: try FileManager.default.moveItem(atPath: job.partFile, toPath: fixture.path("f"))
      case .betweenItsTwoSteps:
        // The state on file systems without RENAME_NOREPLACE.
        try FileManager.default.linkItem(atPath: job.partFile, toPath: fixture.path("f"))
      case .beforeTheRenameWithThePartFileGone:
        try FileManager.default.removeItem(atPath: job.partFile)
        requests = 1
      case .beforeTheRenameWithThePartFileCut:
        try fixture.write(FaultServer.Version.sample.content.bytes(in: 0..<1000), to: job.partFileName)
        requests = 1
      }
      let summary = try await fixture.run()
      #expect(summary.complete == 1)
      let done = try await fixture.job(job.id)
      #expect(done.state == .complete)
      #expect(done.publishing == nil)
      #expect(done.published == (try fixture.identity("f")))
      #expect(fixture.difference("f", .sample) == nil)
      // There is no second copy, and no leftover.
      #expect(try fixture.names == ["f"])
      #expect(fixture.server.requests("/f").count == requests)
    }
  }

  @Test(
    "P12 a finished publish proves checks requested since it began", arguments: [true, false], [true, false])
  func aPublishProvesWhatIsAskedNow(isRenamed: Bool, isRight: Bool) async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try fixture.identity(job.partFileName), fileName: "f")
      _ = try await fixture.store.beginPublishing([intent], runner: dead, now: 3)
      if isRenamed { try FileManager.default.moveItem(atPath: job.partFile, toPath: fixture.path("f")) }
      try await fixture.manager.refresh()
      let bytes = FaultServer.Version.sample.content.bytes(in: 0..<300_000)
      let digest = try DigestValue.parse("sha-256=" + KitFixture.sha256(isRight ? bytes : [1]))
      #expect(try await fixture.store.renew(job.id, with: try fixture.specification("/f") { $0.digest = digest }))
      let summary = try await fixture.run()
      #expect((summary.complete, summary.exitStatus) == (isRight ? (1, .success) : (0, .integrity)))
      // A file published before the request stays; others are not published.
      #expect(try fixture.names == (isRight || isRenamed ? ["f"] : []))
    }
  }

  @Test("P10 a publish survives a directory that is unreachable for a while")
  func aDirectoryThatIsAwayTellsNothing() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try fixture.identity(job.partFileName), fileName: "f")
      _ = try await fixture.store.beginPublishing([intent], runner: dead, now: 3)
      let place = (job.partFile as NSString).deletingLastPathComponent
      try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
      let summary = try await fixture.run()
      #expect((summary.complete, summary.interrupted, summary.exitStatus) == (0, 1, .file))
      #expect(try await fixture.job(job.id).publishing != nil)
      try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
      #expect(try await fixture.run().complete == 1)
      #expect(fixture.difference("f", .sample) == nil)
      #expect(fixture.server.requests("/f").isEmpty)
    }
  }

  @Test func aStrangersFileIsNotTakenForTheTarget() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try fixture.identity(job.partFileName), fileName: "f")
      _ = try await fixture.store.beginPublishing([intent], runner: dead, now: 3)
      try fixture.write("theirs".utf8, to: "f")
      let summary = try await fixture.run()
      #expect((summary.complete, summary.exitStatus) == (0, .file))
      #expect(fixture.bytes("f") == Array("theirs".utf8))
      #expect(try await fixture.job(job.id).state == .failed)
    }
  }

  @Test func bytesThatAreAllHereNeedNoRequest() async throws {
    try await KitFixture.use { fixture in
      _ = try await orphan(in: fixture, received: 300_000, output: "own")
      let summary = try await fixture.run()
      #expect(summary.complete == 1)
      #expect(fixture.server.requests("/f").isEmpty)
      #expect(fixture.difference("own", .sample) == nil)
    }
  }

  // MARK: Stray files

  @Test("P5 a part file belongs to its job, whatever the path of its directory")
  func aDirectoryHasManyPaths() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 100_000)
      let place = (job.partFile as NSString).deletingLastPathComponent
      try FileManager.default.createSymbolicLink(atPath: place + ".link", withDestinationPath: place)
      for path in [place, place + ".link", place + "/../" + (place as NSString).lastPathComponent] {
        #expect(try await !fixture.manager.clean(directory: path).removed.contains { $0.hasPrefix(fixture.root) })
      }
      #expect(try fixture.names == [job.partFileName])
    }
  }

  @Test("P5 a job whose part file cannot be removed is not forgotten")
  func aPartFileThatStays() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample)
      let part = try await fixture.job(id).partFile
      try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
      guard case .refused(let why, _)? = try await fixture.manager.remove([id]).first?.result else {
        Issue.record("it was forgotten")
        return
      }
      #expect(why.contains("part file cannot be removed"))
      #expect(try await fixture.job(id).state == .queued)
      try FileManager.default.removeItem(atPath: part)
      _ = try await fixture.manager.remove([id])
      #expect(try await fixture.store.job(id) == nil)
    }
  }

  @Test func strayPartFilesAreRemovedAndOthersAreNot() async throws {
    try await KitFixture.use { fixture in
      let job = try await orphan(in: fixture, received: 100_000)
      let elsewhere = fixture.root + "/elsewhere"
      try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
      let strays = [fixture.path(Job.partFileName(UUID())), PathText.join(elsewhere, Job.partFileName(UUID()))]
      for stray in strays {
        try Data([1]).write(to: URL(fileURLWithPath: stray))
        let past = Date(timeIntervalSinceNow: -2 * StrayRule.patience)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: stray)
      }
      let kept = [
        ".x.part", "\(UUID()).part", ".\(UUID()).parts", "notes.part", ".\(UUID().uuidString.lowercased()).part",
      ]
      for name in kept { try fixture.write([1], to: name) }
      try FileManager.default.createDirectory(
        atPath: fixture.path(Job.partFileName(UUID())), withIntermediateDirectories: false)

      let report = try await fixture.manager.clean(directory: elsewhere)
      // Temporary files of other tests' killed programs are removed, too.
      #expect(report.removed.filter { $0.hasPrefix(fixture.root) }.sorted() == strays.sorted())
      #expect(report.forgotten == 0)
      let names = Set(try fixture.names)
      #expect(names.isSuperset(of: kept + [job.partFileName]))
      #expect(names.count == kept.count + 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }
  }

  /// The directory of unfinished files is not below the target's.
  @Test func aPartIsRemovedThoughTheTargetsDirectoryIsGone() async throws {
    try await KitFixture.use { fixture in
      let parts = fixture.root + "/parts"
      let id = try await fixture.add("/f", .sample) { $0.partDirectory = parts }
      let job = try await fixture.job(id)
      try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
      try Data("part".utf8).write(to: URL(fileURLWithPath: job.partFile))
      try FileManager.default.removeItem(atPath: fixture.directory)
      Recovery.removePart(of: job, fixture.manager.destinations)
      #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
    }
  }

  @Test func finishedJobsAreForgottenAndTheirFilesStay() async throws {
    try await KitFixture.use { fixture in
      let done = try await fixture.add("/f", .sample)
      let failed = try await fixture.add("/g", .sample, [.status(404)])
      try await fixture.run()
      let waiting = try await fixture.add("/h", .sample)
      #expect(try await fixture.manager.clean().forgotten == 2)
      #expect(try await fixture.store.jobs(ids: [done, failed, waiting]).map(\.id) == [waiting])
      #expect(fixture.difference("f", .sample) == nil)
    }
  }
}
