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
  private func orphan(in house: House, received count: Int64, output: String? = nil) async throws -> Job {
    let id = try await house.add("/f", .sample, output: output)
    let dead = UUID()
    let claimed = try await house.store.claim(
      runner: dead, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
    let job = try #require(claimed.first)
    try #require(job.id == id)
    let version = FaultServer.Version.sample
    try house.write(version.content.bytes(in: 0..<count), to: job.partFileName)
    let checkpoint = Checkpoint(
      segments: SegmentSet(0..<count), size: version.content.size, validators: Validators(etag: version.etag),
      provenance: Provenance(url: job.specification.request.url))
    #expect(try await house.store.checkpoint([(id, checkpoint)], runner: dead) == [id])
    return try await house.job(id)
  }

  @Test func aDeadRunnersJobIsInterruptedToWhoeverLooks() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 100_000)
      try await house.anotherManager().refresh()
      #expect(try await house.job(job.id).state == .interrupted)
      #expect(try await house.job(job.id).checkpoint.segments == SegmentSet(0..<100_000))
    }
  }

  @Test func theNextRunGoesOnWithIt() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 100_000)
      let summary = try await house.run()
      #expect(summary.complete == 1)
      #expect(house.ranges("/f") == ["bytes=34464-"])
      #expect(house.difference("f", .sample) == nil)
      #expect(try await house.job(job.id).state == .complete)
      #expect(try house.names == ["f"])
    }
  }

  @Test func aLivingRunnersJobIsLeftAloneUntilItDies() async throws {
    try await House.use { house in
      let lease = try await house.store.acquireLease()
      let id = try await house.add("/f", .sample)
      _ = try await house.store.claim(runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
      try await house.manager.refresh()
      #expect(try await house.job(id).state == .active)
      let run = try await Run(house.manager, .jobs([id]))
      try #require(await eventually { await run.runner.snapshot().elsewhere == 1 })
      #expect(house.server.requests("/f").isEmpty)
      // A run for this very job waits for the other one's end, and takes over.
      await lease.release()
      let summary = try await run.summary()
      #expect(summary.complete == 1)
      #expect(house.difference("f", .sample) == nil)
    }
  }

  @Test func onlyALivingRunnerTransfers() async throws {
    try await House.use { house in
      _ = try await orphan(in: house, received: 100_000)
      let withADeadOne = try await house.manager.isTransferring()
      #expect(!withADeadOne)
      let lease = try await house.store.acquireLease()
      let withoutAJob = try await house.manager.isTransferring()
      #expect(!withoutAJob)
      _ = try await house.add("/g", .sample)
      _ = try await house.store.claim(runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
      let withAJob = try await house.manager.isTransferring()
      #expect(withAJob)
      await lease.release()
      let afterItsEnd = try await house.manager.isTransferring()
      #expect(!afterItsEnd)
    }
  }

  @Test("a run that waits for a job takes it over, even if another process released it")
  func releasedByAnother() async throws {
    try await House.use { house in
      let other = try house.anotherManager()
      for round in 0..<5 {
        let lease = try await house.store.acquireLease()
        let id = try await house.add("/f\(round)", .sample)
        _ = try await house.store.claim(runner: lease.runner, limit: 1, scope: .all, now: Date().timeIntervalSince1970)
        let run = try await Run(house.manager, .jobs([id]))
        try #require(await eventually { await run.runner.snapshot().elsewhere == 1 })
        await lease.release()
        try await other.refresh()
        #expect(try await run.summary().complete == 1)
      }
    }
  }

  @Test func whatADeadRunnerWasAskedIsDone() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 100_000)
      _ = try await house.store.remove([job.id])
      try await house.manager.refresh()
      #expect(try await house.store.job(job.id) == nil)
      #expect(try house.names.isEmpty)
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
    try await House.use { house in
      let job = try await orphan(in: house, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try house.identity(job.partFileName), fileName: "f")
      #expect(try await house.store.beginPublishing([intent], runner: dead, now: 3) == [.granted("f")])
      var requests = 0
      switch moment {
      case .beforeTheRename: break
      case .afterTheRename: try FileManager.default.moveItem(atPath: job.partFile, toPath: house.path("f"))
      case .betweenItsTwoSteps:
        // The state on file systems without RENAME_NOREPLACE.
        try FileManager.default.linkItem(atPath: job.partFile, toPath: house.path("f"))
      case .beforeTheRenameWithThePartFileGone:
        try FileManager.default.removeItem(atPath: job.partFile)
        requests = 1
      case .beforeTheRenameWithThePartFileCut:
        try house.write(FaultServer.Version.sample.content.bytes(in: 0..<1000), to: job.partFileName)
        requests = 1
      }
      let summary = try await house.run()
      #expect(summary.complete == 1)
      let done = try await house.job(job.id)
      #expect(done.state == .complete)
      #expect(done.publishing == nil)
      #expect(done.published == (try house.identity("f")))
      #expect(house.difference("f", .sample) == nil)
      // No second copy, and nothing left.
      #expect(try house.names == ["f"])
      #expect(house.server.requests("/f").count == requests)
    }
  }

  @Test(
    "P12 a finished publish proves checks requested since it began", arguments: [true, false], [true, false])
  func aPublishProvesWhatIsAskedNow(isRenamed: Bool, isRight: Bool) async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try house.identity(job.partFileName), fileName: "f")
      _ = try await house.store.beginPublishing([intent], runner: dead, now: 3)
      if isRenamed { try FileManager.default.moveItem(atPath: job.partFile, toPath: house.path("f")) }
      try await house.manager.refresh()
      let bytes = FaultServer.Version.sample.content.bytes(in: 0..<300_000)
      let digest = try DigestValue.parse("sha-256=" + House.sha256(isRight ? bytes : [1]))
      #expect(try await house.store.renew(job.id, with: try house.specification("/f") { $0.digest = digest }))
      let summary = try await house.run()
      #expect((summary.complete, summary.exitStatus) == (isRight ? (1, .success) : (0, .integrity)))
      // A file published before the request stays; others are not published.
      #expect(try house.names == (isRight || isRenamed ? ["f"] : []))
    }
  }

  @Test("P10 a publish survives a directory that is unreachable for a while")
  func aDirectoryThatIsAwayTellsNothing() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try house.identity(job.partFileName), fileName: "f")
      _ = try await house.store.beginPublishing([intent], runner: dead, now: 3)
      let place = (job.partFile as NSString).deletingLastPathComponent
      try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
      let summary = try await house.run()
      #expect((summary.complete, summary.interrupted, summary.exitStatus) == (0, 1, .file))
      #expect(try await house.job(job.id).publishing != nil)
      try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
      #expect(try await house.run().complete == 1)
      #expect(house.difference("f", .sample) == nil)
      #expect(house.server.requests("/f").isEmpty)
    }
  }

  @Test func aStrangersFileIsNotTakenForTheTarget() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 300_000)
      let dead = try #require(job.runner)
      let intent = PublishIntent(id: job.id, identity: try house.identity(job.partFileName), fileName: "f")
      _ = try await house.store.beginPublishing([intent], runner: dead, now: 3)
      try house.write("theirs".utf8, to: "f")
      let summary = try await house.run()
      #expect((summary.complete, summary.exitStatus) == (0, .file))
      #expect(house.bytes("f") == Array("theirs".utf8))
      #expect(try await house.job(job.id).state == .failed)
    }
  }

  @Test func bytesThatAreAllHereNeedNoRequest() async throws {
    try await House.use { house in
      _ = try await orphan(in: house, received: 300_000, output: "own")
      let summary = try await house.run()
      #expect(summary.complete == 1)
      #expect(house.server.requests("/f").isEmpty)
      #expect(house.difference("own", .sample) == nil)
    }
  }

  // MARK: Stray files

  @Test("P5 a part file belongs to its job, whatever the path of its directory")
  func aDirectoryHasManyPaths() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 100_000)
      let place = (job.partFile as NSString).deletingLastPathComponent
      try FileManager.default.createSymbolicLink(atPath: place + ".link", withDestinationPath: place)
      for path in [place, place + ".link", place + "/../" + (place as NSString).lastPathComponent] {
        #expect(try await !house.manager.clean(directory: path).removed.contains { $0.hasPrefix(house.root) })
      }
      #expect(try house.names == [job.partFileName])
    }
  }

  @Test("P5 a job whose part file cannot be removed is not forgotten")
  func aPartFileThatStays() async throws {
    try await House.use { house in
      let id = try await house.add("/f", .sample)
      let part = try await house.job(id).partFile
      try FileManager.default.createDirectory(atPath: part, withIntermediateDirectories: false)
      guard case .refused(let why, _)? = try await house.manager.remove([id]).first?.result else {
        Issue.record("it was forgotten")
        return
      }
      #expect(why.contains("part file cannot be removed"))
      #expect(try await house.job(id).state == .queued)
      try FileManager.default.removeItem(atPath: part)
      _ = try await house.manager.remove([id])
      #expect(try await house.store.job(id) == nil)
    }
  }

  @Test func strayPartFilesAreRemovedAndOthersAreNot() async throws {
    try await House.use { house in
      let job = try await orphan(in: house, received: 100_000)
      let elsewhere = house.root + "/elsewhere"
      try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
      let strays = [house.path(Job.partFileName(UUID())), PathText.join(elsewhere, Job.partFileName(UUID()))]
      for stray in strays {
        try Data([1]).write(to: URL(fileURLWithPath: stray))
        let past = Date(timeIntervalSinceNow: -2 * StrayRule.patience)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: stray)
      }
      let kept = [
        ".x.part", "\(UUID()).part", ".\(UUID()).parts", "notes.part", ".\(UUID().uuidString.lowercased()).part",
      ]
      for name in kept { try house.write([1], to: name) }
      try FileManager.default.createDirectory(
        atPath: house.path(Job.partFileName(UUID())), withIntermediateDirectories: false)

      let report = try await house.manager.clean(directory: elsewhere)
      // Temporary files of other tests' killed programs are removed, too.
      #expect(report.removed.filter { $0.hasPrefix(house.root) }.sorted() == strays.sorted())
      #expect(report.forgotten == 0)
      let names = Set(try house.names)
      #expect(names.isSuperset(of: kept + [job.partFileName]))
      #expect(names.count == kept.count + 2)
      #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }
  }

  /// The directory of unfinished files is not below the target's.
  @Test func aPartIsRemovedThoughTheTargetsDirectoryIsGone() async throws {
    try await House.use { house in
      let parts = house.root + "/parts"
      let id = try await house.add("/f", .sample) { $0.partDirectory = parts }
      let job = try await house.job(id)
      try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
      try Data("part".utf8).write(to: URL(fileURLWithPath: job.partFile))
      try FileManager.default.removeItem(atPath: house.directory)
      Recovery.removePart(of: job, house.manager.destinations)
      #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
    }
  }

  @Test func finishedJobsAreForgottenAndTheirFilesStay() async throws {
    try await House.use { house in
      let done = try await house.add("/f", .sample)
      let failed = try await house.add("/g", .sample, [.status(404)])
      try await house.run()
      let waiting = try await house.add("/h", .sample)
      #expect(try await house.manager.clean().forgotten == 2)
      #expect(try await house.store.jobs(ids: [done, failed, waiting]).map(\.id) == [waiting])
      #expect(house.difference("f", .sample) == nil)
    }
  }
}
