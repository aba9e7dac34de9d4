// Conflicts with an existing target: the table, and conflicts at every moment of a run.

import DrayCore
import DrayEngine
import DrayStore
import FaultServer
import Foundation
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct ConflictTests {
  @Test(arguments: ConflictPolicy.allCases)
  func aFreeNameIsNoConflict(_ policy: ConflictPolicy) {
    #expect(Conflict.decide(policy, path: "/d/f", occupant: nil) == .none)
  }

  /// No policy replaces anything but files (D8).
  @Test(
    arguments: [
      (.rename, .file, "go on"), (.rename, .directory, "go on"), (.rename, .special, "go on"),
      (.rename, .link, "go on"),
      (.skip, .file, "skip"), (.skip, .directory, "skip"), (.skip, .special, "skip"), (.skip, .link, "skip"),
      (.overwrite, .file, "go on"), (.overwrite, .link, "go on"), (.overwrite, .directory, "refuse"),
      (.overwrite, .special, "refuse"),
      (.fail, .file, "refuse"), (.fail, .directory, "refuse"), (.fail, .link, "refuse"), (.fail, .special, "refuse"),
    ] as [(ConflictPolicy, Occupant, String)])
  func aNameThatIsTaken(_ policy: ConflictPolicy, _ occupant: Occupant, _ expected: String) {
    switch Conflict.decide(policy, path: "/d/f", occupant: occupant) {
    case .upToDate, .replaces: Issue.record("nothing was compared")
    case .none: #expect(expected == "go on")
    case .skip: #expect(expected == "skip")
    case .refuse(let failure):
      #expect(expected == "refuse")
      #expect(failure.kind == .file)
      #expect(failure.subject == "/d/f")
      #expect(failure.advice != nil)
    }
  }

  @Test(arguments: [
    (["attachment; filename=a.txt"], "a.txt"), (["attachment; filename=../../a.txt"], "a.txt"),
    (["attachment; filename*=UTF-8''%e2%82%ac.txt; filename=e.txt"], "€.txt"), (["attachment"], "file.bin"),
    (["attachment; filename=\"\""], "file.bin"), (["attachment; filename=.."], "file.bin"), ([], "file.bin"),
    (["attachment; filename=.bashrc"], "_.bashrc"),
  ])
  func theNameOfATarget(_ dispositions: [String], _ expected: String) throws {
    let head = ResponseHead(status: 200, fields: dispositions.map { HeaderField("Content-Disposition", $0) })
    let url = try RequestURL.parse("http://h/dir/file.bin?x=/y").url
    #expect(TargetName.choose(ResponseRecord(finalURL: url, redirects: [], head: head, time: 0)) == expected)
  }

  /// The partial file that a job takes over has the name of its target.
  @Test(
    arguments: [
      (nil, ConflictPolicy.fail, false, "replaces"), (Adoption.Outcome(taken: 1), .fail, false, "replaces"),
      (Adoption.Outcome(refusal: "r", wasEmpty: true), .fail, false, "replaces"), (nil, .rename, false, "replaces"),
      (nil, .skip, false, "replaces"), (Adoption.Outcome(refusal: "it differs"), .fail, false, "refuses: it differs"),
      (Adoption.Outcome(refusal: "it differs"), .overwrite, false, "none"),
      (Adoption.Outcome(refusal: "it differs"), .skip, false, "skip"),
      // Another file has taken the name in the meantime.
      (nil, .fail, true, "refuses"), (Adoption.Outcome(taken: 1), .fail, true, "refuses"),
      (Adoption.Outcome(taken: 1), .rename, true, "none"),
    ] as [(Adoption.Outcome?, ConflictPolicy, Bool, String)])
  func aPartialFileIsReplacedAndNothingElse(
    _ outcome: Adoption.Outcome?, _ policy: ConflictPolicy, _ isAnother: Bool, _ expected: String
  ) async throws {
    try await KitFixture.use { fixture in
      try fixture.write("partial".utf8, to: "f")
      var adopted = try Adoption.look(at: fixture.path("f"))
      adopted.outcome = outcome
      if isAnother { try fixture.write("another".utf8, to: "f") }
      let specification = try fixture.specification("/f", output: "f") {
        ($0.onConflict, $0.adopts) = (policy, adopted)
      }
      let destination = try fixture.manager.destinations.existing(specification.place)
      #expect(try Conflict.isTaken("f", for: specification, in: destination) == (expected != "replaces"))
      #expect(Conflict.mayExchange(specification))
      switch try Conflict.look(specification, at: "f", in: destination, addedAt: 0) {
      case .replaces: #expect(expected == "replaces")
      case .none: #expect(expected == "none")
      case .skip: #expect(expected == "skip")
      case .refuse(let failure):
        #expect(expected.hasPrefix("refuses") && failure.reason.hasSuffix(expected.dropFirst("refuses".count)))
      case .upToDate: Issue.record("nothing was compared")
      }
    }
  }

  /// A job planned for one file replaces no other (P2).
  @Test(arguments: ["as it was", "changed", "another", "gone", "a link"])
  func theFileThatWasSeenIsReplacedAndNoOther(_ now: String) async throws {
    try await KitFixture.use { fixture in
      try fixture.write("old".utf8, to: "f")
      let seen = try fixture.identity("f")
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)], output: "f") {
        $0.replaces = seen
      }
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      let path = fixture.path("f")
      switch now {
      case "changed": try fixture.write("old and more".utf8, to: "f")
      case "another":
        try fixture.write("mine".utf8, to: "g")
        try #require(rename(fixture.path("g"), path) == 0)
      case "gone": try #require(unlink(path) == 0)
      case "a link":
        try #require(unlink(path) == 0)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "elsewhere")
      default: break
      }
      let before = fixture.bytes("f")
      gate.open()
      _ = try await run.summary()
      if ["as it was", "gone"].contains(now) {
        #expect(try await fixture.job(id).state == .complete)
        #expect(fixture.difference("f", .sample) == nil)
      } else {
        #expect(try await fixture.job(id).state == .failed)
        #expect(fixture.bytes("f") == before)
      }
      #expect(try fixture.names == ["f"])
    }
  }

  /// If the target appears during the transfer, it is never lost without the user's consent.
  @Test(arguments: ConflictPolicy.allCases)
  func aTargetThatAppearsMeanwhile(_ policy: ConflictPolicy) async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)], output: "f") {
        $0.onConflict = policy
      }
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      try fixture.write("theirs".utf8, to: "f")
      gate.open()
      let summary = try await run.summary()
      let theirs = Array("theirs".utf8)
      switch policy {
      case .fail:
        #expect(try await fixture.job(id).state == .failed)
        #expect(summary.exitStatus == .file)
        #expect(fixture.bytes("f") == theirs)
        #expect(try fixture.names == ["f"])
      case .skip:
        #expect(try await fixture.store.job(id) == nil)
        #expect(run.story(id).last == "skipped")
        #expect(summary.exitStatus == .success)
        #expect(fixture.bytes("f") == theirs)
        #expect(try fixture.names == ["f"])
      case .overwrite:
        #expect(try await fixture.job(id).state == .complete)
        #expect(fixture.difference("f", .sample) == nil)
        #expect(try fixture.names == ["f"])
      case .rename:
        #expect(try await fixture.job(id).fileName == "f.1")
        #expect(fixture.bytes("f") == theirs)
        #expect(fixture.difference("f.1", .sample) == nil)
        #expect(try fixture.names == ["f", "f.1"])
        // The file is recognized under its other name, too.
        let again = try await fixture.manager.admit([
          try fixture.specification("/f", output: "f") { $0.onConflict = .rename }
        ])
        #expect(again == [.alreadyComplete(id, path: fixture.path("f.1"))])
      }
    }
  }

  /// `clean` has forgotten the job: the file is recognized by its time, or by its bytes.
  @Test(arguments: [true, false]) func anEqualFileOfNoJobIsUpToDate(hasTime: Bool) async throws {
    try await KitFixture.use { fixture in
      var version = FaultServer.Version.sample
      if hasTime { version.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT" }
      try await fixture.add("/f", version)
      try await fixture.run()
      let forgotten = try await fixture.store.forgetFinished(before: nil)
      #expect(forgotten == 1)
      let id = try await fixture.add("/f", version)
      let summary = try await fixture.run()
      #expect((summary.complete, summary.failed) == (1, 0))
      let job = try await fixture.job(id)
      #expect(job.state == .complete && job.note?.hasPrefix("up to date") == true)
      // A small file gets its digest as it arrives.
      if !hasTime { #expect(job.knownDigest?.source == .computed) }
      #expect(try fixture.names == ["f"])
      #expect(fixture.difference("f", .sample) == nil)
      let again = try await fixture.manager.admit([try fixture.specification("/f")])
      #expect(again == [.alreadyComplete(id, path: fixture.path("f"))])
    }
  }

  /// An offered digest counts more than a length and a time (P12).
  @Test(
    arguments: [
      (nil, false, true), (nil, true, false), (.offered, true, false), (.auto, true, false),
      (VerifyMode.none, true, true), (.require, false, false), (.require, true, false),
    ] as [(VerifyMode?, Bool, Bool)])
  func aFileWithTheServersTimeIsItsFile(_ verify: VerifyMode?, _ isOffered: Bool, _ expected: Bool) async throws {
    try await KitFixture.use { fixture in
      try fixture.write("theirs".utf8, to: "f")
      let time = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 784_111_777)]
      try FileManager.default.setAttributes(time, ofItemAtPath: fixture.path("f"))
      let specification = try fixture.specification("/f") { $0.verify = verify }
      let destination = try fixture.manager.destinations.existing(specification.place)
      var fields = [HeaderField("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]
      let digest = String(repeating: "A", count: 43) + "="
      if isOffered { fields.append(HeaderField("Repr-Digest", "sha-256=:\(digest):")) }
      let head = ResponseHead(status: 200, fields: fields)
      let isBelieved = try Conflict.hasServersTime(specification, at: "f", in: destination, head, now: 784_111_999)
      #expect(isBelieved == expected)
    }
  }

  @Test func aFileOfTheSameLengthWithOtherBytesStays() async throws {
    try await KitFixture.use { fixture in
      let theirs = [UInt8](repeating: 7, count: 300_000)
      try fixture.write(theirs, to: "f")
      let id = try await fixture.add("/f", .sample)
      let summary = try await fixture.run()
      #expect((summary.complete, summary.failed) == (0, 1))
      #expect(try await fixture.job(id).failure?.kind == .file)
      #expect(try fixture.names == ["f"])
      #expect(fixture.bytes("f") == theirs)
    }
  }

  /// A taken server name is noticed with the head, not after the last byte.
  @Test func aServerNameThatIsTakenStopsTheTransferEarly() async throws {
    try await KitFixture.use { fixture in
      let gate = FaultServer.Gate()
      try fixture.write("theirs".utf8, to: "f")
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 1000)])
      // The gate never opens.
      let summary = try await fixture.run()
      #expect(summary.failed == 1)
      #expect(try await fixture.job(id).failure?.kind == .file)
      #expect(try fixture.names == ["f"])
      #expect(fixture.bytes("f") == Array("theirs".utf8))
    }
  }

  @Test func twoJobsWithOneServerNameDoNotMeet() async throws {
    try await KitFixture.use { fixture in
      let first = try await fixture.add("/a/f", .sample) { $0.onConflict = .rename }
      let other = FaultServer.Version.named("v2", size: 300_000)
      let second = try await fixture.add("/b/f", other) { $0.onConflict = .rename }
      try await fixture.run()
      #expect(Set([try await fixture.job(first).fileName, try await fixture.job(second).fileName]) == ["f", "f.1"])
      #expect(fixture.difference(try #require(try await fixture.job(first).fileName), .sample) == nil)
      #expect(fixture.difference(try #require(try await fixture.job(second).fileName), other) == nil)
    }
  }

  @Test func aSymlinkIsNotFollowed() async throws {
    try await KitFixture.use { fixture in
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("f"), withDestinationPath: fixture.root + "/victim")
      let id = try await fixture.add("/f", .sample, output: "f") { $0.onConflict = .overwrite }
      try await fixture.run()
      #expect(try await fixture.job(id).state == .complete)
      #expect(!FileManager.default.fileExists(atPath: fixture.root + "/victim"))
      #expect(fixture.difference("f", .sample) == nil)
    }
  }
}
