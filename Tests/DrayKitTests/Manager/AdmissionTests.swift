// Admission: the decision about a requested download before it is queued.

import DrayCore
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct AdmissionTests {
  private func completed(in fixture: KitFixture, output: String? = nil) async throws -> JobID {
    let id = try await fixture.add("/f", .sample, output: output)
    try await fixture.run()
    try #require(try await fixture.job(id).state == .complete)
    return id
  }

  @Test func anUnfinishedOneIsTheSameJob() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      guard case .job(let first)? = try await fixture.manager.admit([try fixture.specification("/f")]).first else {
        Issue.record("it was not queued")
        return
      }
      #expect(!first.existing)
      // Settings that the first request lacked are added.
      let digest = DigestValue(.md5, bytes: [UInt8](repeating: 1, count: 16))
      let again = try await fixture.manager.admit([try fixture.specification("/f") { $0.digest = digest }])
      var added = AddedJob(id: first.id, uuid: first.uuid, existing: true)
      added.repetition = Repetition()
      added.repetition?.replaced = ["checksum"]
      #expect(again == [.job(added)])
      #expect(try await fixture.job(first.id).specification.options.digest == digest)
      // A request without the digest keeps it (P3).
      _ = try await fixture.manager.admit([try fixture.specification("/f")])
      #expect(try await fixture.job(first.id).specification.options.digest == digest)
    }
  }

  @Test func givenTwiceItIsOneJob() async throws {
    try await KitFixture.use { fixture in
      let specification = try fixture.specification("/f")
      let ids = try await fixture.manager.admit([specification, specification]).map { admission in
        if case .job(let added) = admission { added.id } else { JobID(-1) }
      }
      #expect(Set(ids).count == 1)
      #expect(try await fixture.store.counts() == [.queued: 1])
    }
  }

  @Test(arguments: [nil, "own"]) func aCompleteOneIsNotFetchedAgain(_ output: String?) async throws {
    try await KitFixture.use { fixture in
      let id = try await completed(in: fixture, output: output)
      let again = try await fixture.manager.admit([try fixture.specification("/f", output: output)])
      #expect(again == [.alreadyComplete(id, path: fixture.path(output ?? "f"))])
      try await fixture.run()
      #expect(fixture.server.requests("/f").count == 1)
    }
  }

  @Test func aDigestIsProvedOnACompleteOneToo() async throws {
    try await KitFixture.use { fixture in
      _ = try await completed(in: fixture)
      let wrong = DigestValue(.md5, bytes: [UInt8](repeating: 1, count: 16))
      let failure = await #expect(throws: Failure.self) {
        try await fixture.manager.admit([try fixture.specification("/f") { $0.digest = wrong }])
      }
      #expect(failure?.kind == .integrity)
      #expect(fixture.difference("f", .sample) == nil)
    }
  }

  @Test func startingOverWhatIsCompleteAndInPlaceIsRefused() async throws {
    try await KitFixture.use { fixture in
      let id = try await completed(in: fixture)
      guard case .refused? = try await fixture.manager.retry([id]).first?.result else {
        Issue.record("it was not refused")
        return
      }
      #expect(try await fixture.job(id).state == .complete)
    }
  }

  @Test func aNamedJobThatIsNotCompleteIsNotDone() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample)
      _ = try await fixture.manager.pause([id])
      let run = try await Run(fixture.manager, .jobs([id]))
      #expect(try await run.summary().exitStatus == .other)
    }
  }

  @Test func aTargetThatIsGoneIsFetchedAgain() async throws {
    try await KitFixture.use { fixture in
      let id = try await completed(in: fixture)
      try FileManager.default.removeItem(atPath: fixture.path("f"))
      guard case .job(let added)? = try await fixture.manager.admit([try fixture.specification("/f")]).first else {
        Issue.record("it was not queued")
        return
      }
      #expect((added.id, added.existing) == (id, true))
      #expect(try await fixture.job(id).state == .queued)
      try await fixture.run()
      #expect(fixture.difference("f", .sample) == nil)
      #expect(fixture.ranges("/f") == [nil, nil])
    }
  }

  @Test func aTargetThatSomebodyChangedIsNotTouched() async throws {
    try await KitFixture.use { fixture in
      _ = try await completed(in: fixture, output: "f")
      try fixture.write("theirs".utf8, to: "f")
      await #expect {
        try await fixture.manager.admit([try fixture.specification("/f", output: "f")])
      } throws: {
        ($0 as? Failure)?.kind == .file
      }
      #expect(fixture.bytes("f") == Array("theirs".utf8))
      #expect(try await fixture.store.unfinishedCount() == 0)
    }
  }

  @Test func aTargetThatIsToStayIsSkipped() async throws {
    try await KitFixture.use { fixture in
      try fixture.write("theirs".utf8, to: "f")
      let specification = try fixture.specification("/f", output: "f") { $0.onConflict = .skip }
      #expect(try await fixture.manager.admit([specification]) == [.skipped(path: fixture.path("f"))])
      #expect(try await fixture.store.counts().isEmpty)
    }
  }

  @Test("skip leaves the target to the unfinished job that has it, and to an earlier URL of the same call")
  func skipsTargetsOfJobs() async throws {
    try await KitFixture.use { fixture in
      let owner = try await fixture.manager.admit([try fixture.specification("/f", output: "x")])
      let wanted = try ["/g", "/h", "/f"].map { try fixture.specification($0, output: "x") { $0.onConflict = .skip } }
      let skipped = Admission.skipped(path: fixture.path("x"), isOfJob: true)
      guard case .job(let first)? = owner.first else {
        Issue.record("it was not queued")
        return
      }
      let again = try await fixture.manager.admit(wanted)
      #expect(Array(again.prefix(2)) == [skipped, skipped])
      guard case .job(let same)? = again.last else {
        Issue.record("its own target was skipped")
        return
      }
      #expect(same.id == first.id)
      let two = try ["/i", "/j"].map { try fixture.specification($0, output: "y") { $0.onConflict = .skip } }
      #expect(try await fixture.manager.admit(two).last == .skipped(path: fixture.path("y"), isOfJob: true))
      await #expect(throws: Failure.self) {
        _ = try await fixture.manager.admit([
          try fixture.specification("/g", output: "x") { $0.onConflict = .overwrite }
        ])
      }
    }
  }

  @Test("a client of the service neither changes nor begins a job of the user by naming its URL")
  func clientsLeaveTheUsersJobs() async throws {
    try await KitFixture.use { fixture in
      let mine = try fixture.specification("/f", output: "f") { $0.rateLimit = 1000 }
      let digest = DigestValue(.md5, bytes: [UInt8](repeating: 1, count: 16))
      var theirs = try fixture.specification("/f", output: "f") { ($0.rateLimit, $0.digest) = (5, digest) }
      theirs.request.isOfClient = true
      var asClient = Entrance()
      asClient.isForClient = true
      guard case .job(let own)? = try await fixture.manager.admit([mine]).first else {
        Issue.record("it was not queued")
        return
      }
      _ = try await fixture.manager.pause([own.id])
      let before = try await fixture.job(own.id)
      let again = try await fixture.manager.admit([theirs], entering: asClient)
      #expect(again == [.job(AddedJob(id: own.id, uuid: own.uuid, existing: true))])
      #expect(try await fixture.job(own.id) == before)
      // A client may change its own job, which remains the client's.
      theirs.output = "g"
      let first = try await fixture.manager.admit([theirs], entering: asClient)
      theirs.options.rateLimit = 7
      let second = try await fixture.manager.admit([theirs], entering: asClient)
      guard case .job(let new)? = first.first, case .job(let changed)? = second.first else {
        Issue.record("the client's job was not queued")
        return
      }
      #expect(new.id == changed.id && new.id != own.id)
      let job = try await fixture.job(new.id)
      #expect(job.specification.options.rateLimit == 7 && job.specification.request.isOfClient == true)
    }
  }

  @Test func allOrNothingIsQueued() async throws {
    try await KitFixture.use { fixture in
      try fixture.write("theirs".utf8, to: "taken")
      let specifications = [try fixture.specification("/a"), try fixture.specification("/b", output: "taken")]
      await #expect {
        try await fixture.manager.admit(specifications)
      } throws: {
        ($0 as? Failure)?.subject == fixture.path("taken")
      }
      #expect(try await fixture.store.counts().isEmpty)
    }
  }

  @Test func aDirectoryThatIsAFileIsRefused() async throws {
    try await KitFixture.use { fixture in
      try fixture.write([1], to: "file")
      var specification = try fixture.specification("/a")
      specification.directory = fixture.path("file")
      let refused = specification
      await #expect {
        try await fixture.manager.admit([refused])
      } throws: {
        ($0 as? Failure)?.kind == .file
      }
    }
  }

  @Test func aFailedOneThatIsAskedForAgainIsOneJob() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(404), .status(404), .normal])
      for _ in 0..<2 {
        try await fixture.run()
        try #require(try await fixture.job(id).state == .failed)
        let job = try await fixture.job(id)
        let again = try await fixture.manager.admit([try fixture.specification("/f")])
        #expect(again == [.job(AddedJob(id: id, uuid: job.uuid, existing: true))])
        #expect(try await fixture.job(id).state == .queued)
      }
      try await fixture.run()
      #expect(fixture.difference("f", .sample) == nil)
      #expect(try await fixture.store.counts() == [.complete: 1])
    }
  }

  @Test func whoWantsANewJobForAFailedOneGetsIt() async throws {
    try await KitFixture.use { fixture in
      let id = try await fixture.add("/f", .sample, [.status(404)])
      try await fixture.run()
      let specification = try fixture.specification("/f")
      guard
        case .job(let added)? = try await fixture.manager.admit([specification], entering: Entrance(fetchesAgain: true))
          .first
      else {
        Issue.record("it was not queued")
        return
      }
      #expect(added.id != id && !added.existing)
    }
  }

  @Test func aDirectoryThatIsNotThereIsMadeByTheRun() async throws {
    try await KitFixture.use { fixture in
      fixture.server["/f"] = .init(.sample)
      var specification = try fixture.specification("/f")
      specification.directory = fixture.path("new/deep")
      _ = try await fixture.manager.admit([specification])
      #expect(try fixture.names.isEmpty)
      try await fixture.run()
      #expect(fixture.difference("new/deep/f", .sample) == nil)
    }
  }
}
