// Complete runs without a disk for files: the promises of jobs hold for any destination.

import DrayCore
import DrayEngine
import DrayStore
import FaultServer
import Foundation
import MemoryDestination
import StoreTesting
import Testing

@testable import DrayKit

@Suite struct MemoryDestinationTests {
  private let all: MemoryDestinations

  init() { all = MemoryDestinations(unit: 64 << 10) }

  private func bytes(_ version: FaultServer.Version) -> [UInt8] {
    version.content.bytes(in: 0..<version.content.size)
  }

  @Test("P5 a file is fetched, verified and recorded as complete, and the disk stays empty")
  func get() async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let id = try await fixture.add("/f", .sample)
      #expect(try await fixture.run().exitStatus == .success)
      #expect(files.bytes("f") == bytes(.sample))
      #expect(files.targets == ["f"] && files.parts.isEmpty)
      #expect(try fixture.names.isEmpty)
      let job = try await fixture.job(id)
      #expect(job.published == files.identity(of: "f"))
      let path = try #require(job.target)
      let found = try await fixture.manager.verify(path, expected: nil, job: job)
      #expect(found.digest.hex == KitFixture.sha256(bytes(.sample)) && found.size == .init(bytes(.sample).count))
      #expect(
        try await fixture.manager.admit([try fixture.specification("/f")]) == [.alreadyComplete(id, path: path)])
      files.put(Array("changed".utf8), as: "f")
      #expect(try await fixture.manager.verify(path, expected: nil, job: job).outcome == .wrong)
    }
  }

  @Test("P2 P4 after a power cut a job continues with the bytes that were durable", arguments: [1, 4])
  func resume(connections: Int) async throws {
    let version = FaultServer.Version.named("v1", size: 4 << 20)
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", version, [.held(by: gate, after: 1_000_000)]) {
        $0.maxConnections = connections
      }
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(1_000_000, of: id))
      run.runner.stop()
      _ = try await run.summary()
      gate.open()
      let kept = try await fixture.job(id).checkpoint.segments
      // Only whole units: the storage decides which bytes may be recorded.
      #expect(kept == SegmentSet(0..<15 * 65_536))
      files.losePower()
      #expect(files.parts.count == 1)
      #expect(try await fixture.run().exitStatus == .success)
      #expect(files.bytes("f") == bytes(version))
      // The overlap precedes the first missing byte (P18).
      #expect(fixture.ranges("/f").dropFirst().first == "bytes=\(14 * 65_536)-")
      #expect(files.targets == ["f"] && files.parts.isEmpty)
    }
  }

  @Test("P2 a new version replaces the part")
  func otherVersion() async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)])
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      run.runner.stop()
      _ = try await run.summary()
      gate.open()
      let other = FaultServer.Version.named("v2", size: 250_000)
      fixture.server["/f"] = .init(other)
      #expect(try await fixture.run().exitStatus == .success)
      #expect(files.bytes("f") == bytes(other))
    }
  }

  @Test("P1 a taken name", arguments: ConflictPolicy.allCases, [true, false])
  func conflict(_ policy: ConflictPolicy, appearsLate: Bool) async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let theirs = Array("theirs".utf8)
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)], output: "f") {
        $0.onConflict = policy
      }
      if !appearsLate { files.put(theirs, as: "f") }
      let run = try await Run(fixture.manager)
      if appearsLate {
        try #require(await run.hasReceived(200_000, of: id))
        files.put(theirs, as: "f")
      }
      gate.open()
      let summary = try await run.summary()
      switch policy {
      case .fail:
        #expect(summary.exitStatus == .file)
        #expect(try await fixture.job(id).state == .failed)
        #expect(files.bytes("f") == theirs && files.targets == ["f"])
      case .skip:
        #expect(summary.exitStatus == .success)
        #expect(try await fixture.store.job(id) == nil)
        #expect(files.bytes("f") == theirs && files.targets == ["f"])
      case .overwrite:
        #expect(try await fixture.job(id).state == .complete)
        #expect(files.bytes("f") == bytes(.sample) && files.targets == ["f"])
      case .rename:
        #expect(try await fixture.job(id).fileName == "f.1")
        #expect(files.bytes("f") == theirs && files.bytes("f.1") == bytes(.sample))
      }
      #expect(files.parts.isEmpty)
    }
  }

  @Test("P2 only the file that was seen is replaced", arguments: [true, false])
  func guarded(isAsSeen: Bool) async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      files.put(Array("old".utf8), as: "f")
      let seen = try #require(files.identity(of: "f"))
      let id = try await fixture.add("/f", .sample, output: "f") { $0.replaces = seen }
      if !isAsSeen { files.put(Array("another".utf8), as: "f") }
      try await fixture.run()
      #expect(try await fixture.job(id).state == (isAsSeen ? .complete : .failed))
      #expect(files.bytes("f") == (isAsSeen ? bytes(.sample) : Array("another".utf8)))
    }
  }

  @Test("a job waits without free space, and continues once there is some")
  func full() async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      files.room = 100_000
      let id = try await fixture.add("/f", .sample) { $0.retries = 0 }
      #expect(try await fixture.run().exitStatus == .file)
      #expect(try await fixture.job(id).state == .interrupted)
      files.room = 1 << 20
      #expect(try await fixture.run().exitStatus == .success)
      #expect(files.bytes("f") == bytes(.sample))
    }
  }

  @Test("P5 removing a job removes its part")
  func remove() async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let gate = FaultServer.Gate()
      let id = try await fixture.add("/f", .sample, [.held(by: gate, after: 200_000)])
      let run = try await Run(fixture.manager)
      try #require(await run.hasReceived(200_000, of: id))
      run.runner.stop()
      _ = try await run.summary()
      gate.open()
      #expect(files.parts.count == 1)
      _ = try await fixture.manager.remove([id])
      #expect(files.parts.isEmpty && files.targets.isEmpty)
    }
  }

  @Test("P12 a damaged target is repaired from its good blocks")
  func repair() async throws {
    let version = FaultServer.Version.named("v1", size: 4 << 20)
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let id = try await fixture.add("/f", version)
      try await fixture.run()
      var damaged = bytes(version)
      damaged[2 << 20] ^= 1
      files.put(damaged, as: "f")
      guard case .queued(let missing, _) = try await fixture.manager.repair(id) else {
        Issue.record("it is not sound")
        return
      }
      #expect(missing == 1 << 20)
      #expect(try await fixture.run().exitStatus == .success)
      #expect(files.bytes("f") == bytes(version))
    }
  }

  @Test("P1 an interrupted publish is finished", arguments: [true, false])
  func cutOff(hasName: Bool) async throws {
    try await KitFixture.use(all) { fixture in
      let files = all[fixture.directory]
      let id = try await fixture.add("/f", .sample, output: "f")
      let runner = UUID()
      let now = Date().timeIntervalSince1970
      let job = try #require(try await fixture.store.claim(runner: runner, limit: 1, scope: .all, now: now).first)
      let part = try files.createPart(job.partFileName)
      _ = try bytes(.sample).withUnsafeBytes { try part.write($0, at: 0, stayingInMemory: true) }
      let identity = try part.finish(size: 300_000, modified: nil, destinationIsInPlace: nil)
      let intent = PublishIntent(id: id, identity: identity, fileName: "f")
      _ = try await fixture.store.beginPublishing([intent], after: [], runner: runner, now: now, isDurable: true)
      if hasName { #expect(try files.publish(part, as: "f", .nothing) == .done(notes: [])) }
      // The runner that began the publish had no lease.
      #expect(try await fixture.run().exitStatus == .success)
      #expect(try await fixture.job(id).state == .complete)
      #expect(files.bytes("f") == bytes(.sample))
      #expect(fixture.server.requests("/f").isEmpty)
    }
  }
}
