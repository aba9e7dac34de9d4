// What a transfer's journal says while it writes, in case its process dies (P21).

import DrayCore
import FaultServer
import FoundationEssentials
import TestSupport
import Testing

@testable import DrayEngine

@Suite struct TransferJournalTests {
  private let version = FaultServer.Version.named("v1", size: 1_000_000)

  private func place(_ site: Site) -> JournalPlace {
    JournalPlace(path: site.directory["journals/one"], job: UUID(), attempt: 3)
  }

  private func written(_ place: JournalPlace) -> SegmentSet { place.read()?.sums.covered ?? SegmentSet() }

  private static let boot = Need("boot-id", "POSIX has no name for a boot, so there is no journal") {
    JournalPlace.boot != nil
  }

  @Test(.needs(boot)) func itHasWhatNoCheckpointHas() async throws {
    let (first, second) = (FaultServer.Gate(), FaultServer.Gate())
    let answer = FaultServer.Answer { $0.holds = [.gate(first, after: 300_000), .gate(second, after: 700_000)] }
    try await Site.use(version, answer) { site in
      let place = place(site)
      let transfer = site.engine.start(try site.plan(), observer: Watcher(journal: place))
      try #require(await eventually { written(place).prefix == 300_000 })
      let journal = try #require(place.read())
      let part = try #require(try site.directory.destination().openPart("part"))
      let identity = try part.identity()
      #expect(journal.version.validators.etag == "\"v1\"" && journal.version.size == 1_000_000)
      #expect(journal.version.job == place.job && journal.version.attempt == 3 && journal.version.partName == "part")
      #expect(journal.version.device == identity.device && journal.version.inode == identity.inode)
      #expect(journal.version.answeredAt == transfer.answer?.time && journal.version.boot == JournalPlace.boot)
      #expect(BlockComparison.differing(journal.sums.extents, in: part) == [])

      // Once a checkpoint is recorded, the journal is empty.
      let recorded = try #require(try transfer.checkpoint())
      transfer.noteRecorded(recorded)
      #expect(written(place) == SegmentSet())
      first.open()
      try #require(await eventually { transfer.received == 700_000 && written(place).end == 700_000 })
      #expect(written(place).contains(300_000..<700_000))

      second.open()
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(written(place).contains(300_000..<1_000_000), "the publish may still fail")
      #expect(transfer.endJournal() == place)
      place.remove()
      #expect(transfer.endJournal() == nil && place.read() == nil)
    }
  }

  @Test("P2 bytes that are given up are in no journal", .needs(boot))
  func givenUp() async throws {
    let gate = FaultServer.Gate()
    try await Site.use(version, .held(by: gate, after: 500_000)) { site in
      let place = place(site)
      let transfer = site.engine.start(try site.plan(), observer: Watcher(journal: place))
      try #require(await eventually { written(place).prefix == 500_000 })
      transfer.takeBack(400_000..<500_000)
      #expect(!written(place).contains(400_000..<500_000))
      transfer.endCheckpoints()
      #expect(place.read() == nil)
      gate.open()
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(place.read() == nil)
    }
  }

  @Test("P2 another version begins another journal", .needs(boot))
  func anotherVersion() async throws {
    let (first, second) = (FaultServer.Gate(), FaultServer.Gate())
    let new = FaultServer.Version.named("v2", size: 1_000_001)
    try await Site.use(version, .held(by: first, after: 500_000)) { site in
      let place = place(site)
      let old = try site.receivedBefore(200_000, of: FaultServer.Version.named("v0", size: 900_000))
      site.server.update("/file") { resource in
        resource.version = new
        resource.script = [.held(by: second, after: 300_000)]
      }
      let transfer = site.engine.start(try site.plan(recorded: old), observer: Watcher(journal: place))
      try #require(await eventually { written(place).prefix == 300_000 })
      #expect(place.read()?.version.validators.etag == "\"v2\"")
      second.open()
      #expect(await transfer.outcome().wholeSize == 1_000_001)
      #expect(site.difference(new) == nil)
    }
  }

  @Test func withoutAPlaceThereIsNone() async throws {
    try await Site.use(version) { site in
      let transfer = site.engine.start(try site.plan(), observer: Watcher())
      #expect(await transfer.outcome().wholeSize == 1_000_000)
      #expect(transfer.endJournal() == nil)
    }
  }
}
